import path from 'node:path';
import { readBytes, replaceFile } from '../../io/files.ts';
import type { Position } from './position.ts';

/** The tasks of a file in order, and how many bytes the piece of each has. */
export interface Pieces {
  ids: readonly string[];
  sizes: readonly number[];
}

export interface Frame {
  head: Buffer;
  between: Buffer;
}

export interface Built {
  /** Everything but the tail. */
  chunks: Buffer[];
  pieces: Pieces;
}

/** The file from nothing. */
export function built(all: readonly (readonly [string, Buffer])[], { head, between }: Frame): Built {
  const parts = [head];
  for (const [index, [, piece]] of all.entries()) parts.push(...(index === 0 ? [] : [between]), piece);
  return {
    chunks: [Buffer.concat(parts)],
    pieces: { ids: all.map(([id]) => id), sizes: all.map(([, { length }]) => length) },
  };
}

/**
 * The file with some pieces changed and new ones behind the last. All else is copied, in as few parts as there are
 * changes. Undefined: its bytes are not what `pieces` says.
 */
export function patched(
  old: Buffer,
  { ids, sizes }: Pieces,
  changed: ReadonlyMap<string, Buffer>,
  { head, between }: Frame,
): Built | undefined {
  const chunks: Buffer[] = [];
  const left = new Map(changed);
  const nextSizes = [...sizes];
  let copied = 0;
  let at = head.length;
  for (const [index, id] of ids.entries()) {
    if (index > 0) at += between.length;
    const size = sizes[index] ?? 0;
    const piece = left.get(id);
    if (piece) {
      chunks.push(old.subarray(copied, at), piece);
      copied = at + size;
      nextSizes[index] = piece.length;
      left.delete(id);
    }
    at += size;
  }
  if (at > old.length || ids.length === 0) return undefined;
  chunks.push(old.subarray(copied, at));
  for (const piece of left.values()) chunks.push(between, piece);
  const pieces = {
    ids: [...ids, ...left.keys()],
    sizes: [...nextSizes, ...[...left.values()].map(({ length }) => length)],
  };
  return { chunks, pieces };
}

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
