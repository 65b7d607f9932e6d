import path from 'node:path';
import { AppendFile } from '../../io/append-file.ts';
import { createFile, readBytes, removeQuietly, replaceFile, sizeAndInode } from '../../io/files.ts';
import { isRunning } from '../../io/pid-lock.ts';
import type { Entry, MirrorLayout, Sheet } from '../../layout/layout.ts';
import { same } from '../../schema/json.ts';
import type { Fields } from '../../task/json.ts';

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

/** The version of the mirror that somebody had open when they saved `file`. */
export interface Origin {
  sheet: Sheet;
  /** Does every version that they may have had open list this entry? */
  knew(ref: string): boolean;
  /** They may have had one open that is older than all that docket remembers. */
  isOpenEnded: boolean;
}

/** A whole entry is worth more than any number of half ones. */
const whole = 1000;

/**
 * Entries that a person leaves alone say what they said in the version that the person had open. So that version is the
 * one that says most of what the file says. An entry that is missing in the file says nothing: it was taken out, or it
 * was not there yet. Where several versions fit equally well, `sheet` is the newest of them.
 */
export function findOrigin(
  layout: MirrorLayout,
  latest: Sheet,
  { changes, isComplete }: History,
  file: Sheet,
): Origin {
  const rate = raterFor(layout, file);
  const texts = new Map<string, string | null>(latest.entries.map(({ ref, text }) => [ref, text]));
  const undone = new Map<string, string | null>();
  let [score, best] = [0, 0];
  let sheet = latest;
  let isOldest = changes.length === 0;
  const absent = new Set<string>();
  let missing = new Set<string>();
  changes.forEach(({ before }, index) => {
    for (const [ref, text] of before) {
      score += rate(ref, text) - rate(ref, texts.get(ref) ?? null);
      texts.set(ref, text);
      undone.set(ref, text);
      if (text === null) absent.add(ref);
      else absent.delete(ref);
    }
    if (score < best) return;
    if (score > best) {
      best = score;
      sheet = withTexts(latest, undone);
      missing = new Set();
    }
    for (const ref of absent) missing.add(ref);
    isOldest = index === changes.length - 1;
  });
  const listed = new Set(sheet.entries.map(({ ref }) => ref));
  return {
    sheet,
    knew: (ref) => listed.has(ref) && !missing.has(ref),
    isOpenEnded: !isComplete && isOldest,
  };
}

/** How well the file's entry fits a text that the entry had. */
function raterFor(layout: MirrorLayout, file: Sheet): (ref: string, text: string | null) => number {
  const entries = new Map(file.entries.map((entry) => [entry.ref, entry]));
  const known = new Map<string, number>();
  const fieldsOf = (entry: Entry): Fields | undefined => {
    const parsed = layout.parse(entry);
    return 'fields' in parsed ? parsed.fields : undefined;
  };
  return (ref, text) => {
    const entry = entries.get(ref);
    if (entry === undefined || text === null) return 0;
    if (entry.text === text) return whole;
    const key = JSON.stringify([ref, text]);
    let rating = known.get(key);
    if (rating === undefined) known.set(key, (rating = alike(fieldsOf(entry), fieldsOf({ ...entry, text }))));
    return rating;
  };
}

/** What is null or absent in both says nothing: a person who edits an entry also takes values out. */
function alike(a: Fields | undefined, b: Fields | undefined): number {
  if (!a || !b) return 0;
  if (same({ ...a }, { ...b })) return whole;
  return Object.keys(a).filter((key) => (a[key] ?? null) !== null && same(a[key], b[key])).length;
}

function withTexts(sheet: Sheet, texts: ReadonlyMap<string, string | null>): Sheet {
  const present = new Set(sheet.entries.map(({ ref }) => ref));
  const entries = sheet.entries.flatMap((entry): Entry[] => {
    const text = texts.get(entry.ref);
    return text === undefined ? [entry] : text === null ? [] : [{ ...entry, text }];
  });
  const others = [...texts].flatMap(([ref, text]): Entry[] =>
    text === null || present.has(ref) ? [] : [{ ref, text, line: 1 }],
  );
  return { ...sheet, entries: [...entries, ...others] };
}

/** Who slept for longer than this inside a lock is not coming back. */
const longestMs = 24 * 3600_000;
/** Who was in the middle of a save has ended it by then. */
export const longestSaveMs = 10_000;

interface Overtaken {
  pid: number | undefined;
  at: number;
  /** What the file said before we wrote it: the other's next write is made from it. */
  text: string;
  /** How long that write is waited for. */
  withinMs?: number;
}

function fileIn(dir: string): string {
  return path.join(dir, 'overtaken.json');
}

/**
 * Another tool held the lock for too long and may only be asleep, or somebody was in the middle of a save when we wrote.
 * What they write then is made from what they read before: there, an older value of ours is nobody's edit, and a missing
 * entry was not taken out.
 */
export function noteOvertaken(dir: string, note: Overtaken): void {
  replaceFile(fileIn(dir), JSON.stringify(note), { own: true });
}

export function overtakenText(dir: string, now = Date.now()): string | undefined {
  const text = readBytes(fileIn(dir))?.toString('utf8');
  if (text === undefined) return undefined;
  try {
    const { pid, at, text: was, withinMs = longestMs } = JSON.parse(text) as Overtaken;
    const near = now - at < withinMs && (pid === undefined || isRunning(pid));
    return near ? was : undefined;
  } catch {
    return undefined; // torn by a power loss, which has also ended whoever slept
  }
}

export function forgetOvertaken(dir: string): void {
  removeQuietly(fileIn(dir));
}
