import path from 'node:path';
import { readBytes, replaceFile } from '../../io/files.ts';
import type { Wrong } from '../../schema/problem.ts';
import type { HeldRemoval } from './held-removals.ts';

/** What we know about the mirror as we left it, in `projection.json` beside the journal. */
export interface MirrorNote {
  v: 1;
  /** The journal's seq that the file showed when it had this fingerprint, and base this hash. */
  seq: number;
  hash: string;
  fingerprint: string | undefined;
  /** Hashes of our versions since the last edit, newest last: a file that went back to one of them was not edited. */
  hashes: string[];
  /** Entries that nobody could make sense of, by ref. We do not write to them. */
  wrongs: Record<string, Wrong>;
  /** Tasks that somebody took out of the file, perhaps without knowing it: a person must say. */
  held?: readonly HeldRemoval[];
}

const rememberedVersions = 16;

export function noteFile(dir: string): string {
  return path.join(dir, 'projection.json');
}

export function readNote(file: string): MirrorNote {
  const text = readBytes(file)?.toString('utf8');
  try {
    const note: unknown = text === undefined ? undefined : JSON.parse(text);
    if (isNote(note)) return note;
  } catch {
    // A torn note: then no version is known as ours, and base alone decides what was edited.
  }
  return { v: 1, seq: 0, hash: '', fingerprint: undefined, hashes: [], wrongs: {} };
}

function isNote(value: unknown): value is MirrorNote {
  const note = value as MirrorNote | undefined | null;
  return (
    note?.v === 1 &&
    Number.isSafeInteger(note.seq) &&
    typeof note.hash === 'string' &&
    Array.isArray(note.hashes) &&
    typeof note.wrongs === 'object' &&
    note.wrongs !== null &&
    (note.held === undefined || Array.isArray(note.held))
  );
}

export function writeNote(file: string, note: MirrorNote): void {
  replaceFile(file, `${JSON.stringify(note)}\n`, { own: true });
}

/** `edited`: it has in it what somebody else wrote. Who goes back behind that does so on purpose. */
export function withVersion(note: MirrorNote, hash: string, edited: boolean): MirrorNote {
  const before = edited ? [] : note.hashes.filter((known) => known !== hash);
  const hashes = [...before, hash].slice(-rememberedVersions);
  return { ...note, hashes };
}
