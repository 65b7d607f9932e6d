import path from 'node:path';
import { type Evidence, evidenceOf, idOf, type Output, parseEvidence, sha256 } from '../gate/evidence.ts';
import { exists } from '../io/links.ts';
import { appendPlain, sizeOf, writePlain } from '../io/plain-file.ts';
import { readTextFile } from '../io/text-file.ts';

const file = 'evidence.jsonl';
const longestFile = 64 * 1024 ** 2;

/**
 * The evidence of one task: entries, one line each, and what commands printed, in files beside them. Agents can write
 * there too, so what this object did not make itself proves nothing to it.
 */
export class EvidenceBook {
  readonly #folder: () => string;
  readonly #made: Evidence[] = [];
  #written = 0;

  /** `folder`: makes it where it is missing. */
  constructor(folder: () => string) {
    this.#folder = folder;
  }

  /** In the order in which they were made. */
  get made(): readonly Evidence[] {
    return this.#made;
  }

  /** All of them in one write. A line that a crash cut off stays by itself. */
  add(seen: readonly Omit<Evidence, 'id'>[]): Evidence[] {
    const entries = seen.map(evidenceOf);
    if (entries.length === 0) return entries;
    const place = path.join(this.#folder(), file);
    const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    const text = sizeOf(place) > 0 ? `\n${lines}` : lines;
    appendPlain(place, text);
    this.#written += Buffer.byteLength(text);
    this.#made.push(...entries);
    return entries;
  }

  /** Whole: by its hash it is known again. */
  keep(text: string): Output {
    const hash = sha256(text);
    const output = { file: `${hash.slice(0, 16)}.log`, sha256: hash, bytes: Buffer.byteLength(text) };
    writePlain(path.join(this.#folder(), output.file), text);
    return output;
  }

  /** What lies there and was not made here. */
  others(): Evidence[] {
    const folder = this.#folder();
    if (sizeOf(path.join(folder, file)) === this.#written) return [];
    const mine = new Set(this.#made.map(({ id }) => id));
    return readBook(folder).filter(({ id }) => !mine.has(id));
  }

  output(name: string): string | undefined {
    return readOutput(this.#folder(), name);
  }

  hashOf(name: string): string | undefined {
    const text = this.output(name);
    return text === undefined ? undefined : sha256(text);
  }
}

/** Reads only. What is no entry is left out. */
export function readBook(folder: string): Evidence[] {
  const text = readTextFile(path.join(folder, file), longestFile) ?? '';
  return text.split('\n').flatMap((line) => parseEvidence(line) ?? []);
}

export function readOutput(folder: string, name: string): string | undefined {
  const place = path.join(folder, path.basename(name));
  return exists(place) ? readTextFile(place, longestFile) : undefined;
}

/** `wrong`: why it is not to be believed. */
export type ShownEvidence = Evidence & { wrong?: string };

export function readEvidence(root: string, folder: string, taskId: string): ShownEvidence[] {
  const place = path.join(root, folder);
  return readBook(place).map((entry) => {
    const wrong = wrongWith(entry, place, taskId);
    return wrong === undefined ? entry : { ...entry, wrong };
  });
}

function wrongWith(entry: Evidence, place: string, taskId: string): string | undefined {
  if (entry.taskId !== taskId) return `it is of task ${entry.taskId}`;
  if (entry.id !== idOf(entry)) return 'it was changed after it was made';
  if (!entry.output) return undefined;
  const text = readOutput(place, entry.output.file);
  if (text === undefined) return `its output ${entry.output.file} is gone`;
  return sha256(text) === entry.output.sha256 ? undefined : `its output ${entry.output.file} was changed`;
}
