import { createHash } from 'node:crypto';
import { DocketError } from '../../errors.ts';
import type { Event } from '../../task/schema.ts';

/** The last event of a store that was handed over. `mark` tells it from that of another store of the same name. */
export interface Cursor {
  seq: number;
  mark: string;
}

export function cursorAt({ seq, at, type, taskId, by }: Event): Cursor {
  const mark = createHash('sha256')
    .update(JSON.stringify([seq, at, type, taskId, by]))
    .digest('hex');
  return { seq, mark: mark.slice(0, 12) };
}

const version = '1';
const shape = /^([a-z]+:[\w.-]*):(\d{1,15}):([0-9a-f]{12})$/;

/** How far each store was read, as text that is safe in a URL. */
export function writePosition(stores: Iterable<{ key: string; cursor?: Cursor | undefined }>): string {
  const parts = [version];
  for (const { key, cursor } of stores) if (cursor) parts.push(`${key}:${cursor.seq}:${cursor.mark}`);
  return parts.join(',');
}

export function readPosition(position: string): Map<string, Cursor> {
  const [first, ...rest] = position.split(',');
  const cursors = rest.map((text) => shape.exec(text));
  if (first !== version || cursors.includes(null))
    throw new DocketError(
      'USAGE',
      'this is not a position of the feed',
      'use a position that a change came with, or none',
      { position: position.slice(0, 100) },
    );
  return new Map(
    cursors.map((match): [string, Cursor] => {
      const [, key = '', seq, mark = ''] = match ?? [];
      return [key, { seq: Number(seq), mark }];
    }),
  );
}
