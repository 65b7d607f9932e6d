import { crc32 } from 'node:zlib';
import { readBytes, replaceFile } from '../../io/files.ts';
import type { Log } from '../../layout/layout.ts';
import { decodeLine, encodeLine } from '../codec.ts';
import { Ledger } from '../ledger.ts';
import { Shelf } from '../shelf.ts';
import type { Position } from './position.ts';

interface SnapshotHeader extends Position {
  docket: 'snapshot';
  v: 1;
  /** How many lines are of tasks that somebody works on; an older docket did not tell them from the active ones. */
  held?: number;
  active: number;
  /** What each line is about, and its length in bytes. An older docket did not say. */
  ids?: string[];
  sizes?: number[];
  keys: [string, number][];
  /** Checksum of the lines behind the header, which has its own. */
  body: number;
}

/**
 * A checkpoint of the fold: a header, and a line for each task. Only those that somebody works on are parsed before
 * somebody asks for them. It can always be made anew, so it is not flushed by itself.
 */
export function writeSnapshot(
  file: string,
  ledger: Ledger,
  position: Position,
  options: { sync?: boolean } = {},
): void {
  const { held, active, ids, lines } = ledger.lines();
  const body = Buffer.from(lines.join('\n'));
  const header: SnapshotHeader = {
    docket: 'snapshot',
    v: 1,
    ...position,
    held,
    active,
    ids,
    sizes: lines.map((line) => Buffer.byteLength(line)),
    keys: ledger.keys(),
    body: crc32(body),
  };
  replaceFile(file, Buffer.concat([Buffer.from(encodeLine(header)), body]), { ...options, own: true });
}

/** Undefined when there is none or it is not whole: then the journal is folded from its start. */
export function readSnapshot(file: string, log?: Log): { ledger: Ledger; position: Position } | undefined {
  const bytes = bytesOf(file);
  const end = bytes?.indexOf(10) ?? -1;
  if (!bytes || end < 0) return undefined;
  const header = decodeLine(bytes, 0, end) as SnapshotHeader | undefined;
  const body = bytes.subarray(end + 1);
  if (header?.docket !== 'snapshot' || header.v !== 1 || crc32(body) !== header.body) return undefined;
  const { active, held = active, ids, sizes } = header;
  const shelf = new Shelf(body, active, ids, sizes);
  const ledger = new Ledger(log, shelf);
  for (const id of shelf.ids.slice(0, held)) ledger.get(id); // who works on a task is always known
  ledger.seq = header.seq;
  ledger.forgetTouched();
  ledger.restoreKeys(header.keys);
  const { base, seq, offset, mark, last } = header;
  const more = { ...(mark !== undefined && { mark }), ...(last !== undefined && { last }) };
  return { ledger, position: { base, seq, offset, ...more } };
}

function bytesOf(file: string): Buffer | undefined {
  try {
    return readBytes(file);
  } catch {
    return undefined; // whatever it is that cannot be read: all of it is in the journal too
  }
}
