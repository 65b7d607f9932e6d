import path from 'node:path';
import { readBytes, replaceFile } from '../../io/files.ts';
import type { Pieces } from './pieces.ts';
import type { Position } from './position.ts';

/** What we know about the file that lists all tasks as we left it, beside the checkpoint. */
export interface WholeNote {
  v: 1;
  /** How much of the log it shows. */
  position: Position;
  fingerprint?: string;
  /** The time of the latest fact in it. */
  at: string;
  /** The order of its last task. */
  last: number;
  pieces: Pieces;
}

export function wholeNoteFile(dir: string): string {
  return path.join(dir, 'whole.json');
}

/** A note that is missing or torn: then no file is known as ours. */
export const noNote: WholeNote = {
  v: 1,
  position: { base: 0, seq: 0, offset: 0 },
  at: '1970-01-01T00:00:00.000Z',
  last: 0,
  pieces: { ids: [], sizes: [] },
};

export function readWholeNote(file: string): WholeNote {
  try {
    const note = JSON.parse(readBytes(file)?.toString('utf8') ?? 'null') as WholeNote | null;
    return note?.v === 1 && typeof note.position?.seq === 'number' && Array.isArray(note.pieces?.sizes)
      ? note
      : noNote;
  } catch {
    return noNote;
  }
}

export function writeWholeNote(file: string, note: WholeNote): void {
  replaceFile(file, `${JSON.stringify(note)}\n`, { own: true });
}
