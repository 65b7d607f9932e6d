import path from 'node:path';
import { AppendFile } from '../../io/append-file.ts';
import { createFile, readBytes, replaceFile, sizeAndInode } from '../../io/files.ts';
import type { Entry } from '../../layout/layout.ts';

/** One change of the mirror by docket: what the changed entries said before it. `null`: the entry was not there. */
export interface Change {
  /** Hashes of base before and after; '' is the version that somebody else saved. */
  from: string;
  to: string;
  before: readonly (readonly [ref: string, text: string | null])[];
}

/** The versions of the mirror that an open editor may hold, as changes back from the newest one. */
export interface History {
  /** Newest first. */
  changes: readonly Change[];
  /** The oldest one is what somebody else saved: an editor that knows the file holds nothing older. */
  isComplete: boolean;
}

const longestFile = 512 * 1024;

/**
 * What docket did to the mirror since somebody else last saved it, one line for each write, in `versions.jsonl` beside
 * the journal. A line is written before the mirror is: a crash leaves a line too many, which the hashes tell.
 */
export class Versions {
  readonly #file: string;

  constructor(dir: string) {
    this.#file = path.join(dir, 'versions.jsonl');
  }

  add(change: Change): void {
    // Its own line also behind one that a power loss or a full disk has cut off.
    const line = `\n${JSON.stringify(change)}`;
    if (change.from === '') return void replaceFile(this.#file, line, { own: true });
    const size = sizeAndInode(this.#file)?.size ?? 0;
    if (size + line.length > longestFile) this.#shorten();
    if (createFile(this.#file, line)) return;
    const file = AppendFile.open(this.#file, 'write');
    try {
      const failed = file?.append(Buffer.from(line)).error;
      if (failed instanceof Error) throw failed;
    } finally {
      file?.close();
    }
  }

  /** Those that lead to the version with this hash. */
  read(hash: string): History {
    const lines = readLines(this.#file);
    const last = lines.findLastIndex(({ to }) => to === hash);
    const changes: Change[] = [];
    let wanted = hash;
    for (const change of lines.slice(0, last + 1).toReversed()) {
      if (change.to !== wanted) continue; // its write never happened
      changes.push(change);
      wanted = change.from;
      if (wanted === '') break;
    }
    return { changes, isComplete: wanted === '' };
  }

  #shorten(): void {
    const lines = readLines(this.#file);
    const kept = lines.slice(Math.ceil(lines.length / 2));
    const text = kept.map((change) => `\n${JSON.stringify(change)}`).join('');
    replaceFile(this.#file, text.length > longestFile / 2 ? '' : text, { own: true });
  }
}

/** What has to be undone to get from `after` to `before`. */
export function changesBetween(before: readonly Entry[], after: readonly Entry[]): Change['before'] {
  const now = new Map(after.map((entry) => [entry.ref, entry]));
  const was = new Map(before.map((entry) => [entry.ref, entry]));
  const changed = before.filter((entry) => {
    const next = now.get(entry.ref);
    return next !== entry && next?.text !== entry.text;
  });
  const added = after.filter(({ ref }) => !was.has(ref));
  return [
    ...changed.map(({ ref, text }) => [ref, text] as const),
    ...added.map(({ ref }) => [ref, null] as const),
  ];
}

function readLines(file: string): Change[] {
  const text = readBytes(file)?.toString('utf8') ?? '';
  return text.split('\n').flatMap((line) => {
    try {
      const value: unknown = line === '' ? undefined : JSON.parse(line);
      return isChange(value) ? [value] : [];
    } catch {
      return []; // torn by a power loss: the hashes tell that something is missing
    }
  });
}

function isChange(value: unknown): value is Change {
  const change = value as Change | undefined | null;
  return (
    typeof change?.from === 'string' &&
    typeof change.to === 'string' &&
    Array.isArray(change.before) &&
    change.before.every(
      (pair: unknown) =>
        Array.isArray(pair) &&
        typeof pair[0] === 'string' &&
        (pair[1] === null || typeof pair[1] === 'string'),
    )
  );
}
