import { crc32 } from 'node:zlib';
import { AppendFile } from '../../io/append-file.ts';
import { readBytes, replaceFile } from '../../io/files.ts';
import type { Log } from '../../layout/layout.ts';
import { decodeLine, encodeLine } from '../codec.ts';
import { Ledger } from '../ledger.ts';
import type { Tally } from '../overview.ts';
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
  /** The first lines, which are what an overview shows: how many, how many bytes, their checksum. As new as the tally. */
  hot?: { lines: number; bytes: number; crc: number };
  tally?: Tally;
  keys: [string, number][];
  /** Checksum of the lines behind the header, which has its own. */
  body: number;
}

interface Snapshot {
  ledger: Ledger;
  position: Position;
}

export type OpenSnapshot = (file: string, log?: Log) => (Snapshot & { close?: () => void }) | undefined;

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
  const { held, active, hot, tally, ids, lines } = ledger.lines();
  const body = Buffer.from(lines.join('\n'));
  const sizes = lines.map((line) => Buffer.byteLength(line));
  const bytes = Math.min(
    body.length,
    sizes.slice(0, hot).reduce((sum, size) => sum + size + 1, 0),
  );
  const header: SnapshotHeader = {
    docket: 'snapshot',
    v: 1,
    ...position,
    held,
    active,
    ids,
    sizes,
    hot: { lines: hot, bytes, crc: crc32(body.subarray(0, bytes)) },
    tally,
    keys: ledger.keys(),
    body: crc32(body),
  };
  replaceFile(file, Buffer.concat([Buffer.from(encodeLine(header)), body]), { ...options, own: true });
}

/** Undefined when there is none or it is not whole: then the journal is folded from its start. */
export function readSnapshot(file: string, log?: Log): Snapshot | undefined {
  const bytes = quietly(() => readBytes(file));
  const end = bytes?.indexOf(10) ?? -1;
  const header = bytes && headerIn(bytes, end);
  const body = bytes?.subarray(end + 1);
  return header && body && crc32(body) === header.body ? snapshotOf(header, body, log) : undefined;
}

const firstBytes = 256 * 1024;

/** The same, of which only the part that an overview shows is read; until `close` the rest can be asked for. */
export const openSnapshot: OpenSnapshot = (file, log) => {
  const opened = quietly(() => AppendFile.open(file, 'read'));
  if (!opened) return undefined;
  const close = (): void => opened.close();
  const read = (from: number, to: number): Buffer => {
    const bytes = Buffer.allocUnsafe(Math.max(0, to - from));
    return bytes.subarray(0, opened.read(bytes, from));
  };
  const found = quietly(() => {
    const size = opened.size();
    let head = read(0, Math.min(size, firstBytes));
    if (!head.includes(10)) head = read(0, size);
    const end = head.indexOf(10);
    const header = headerIn(head, end);
    if (!header?.hot) return undefined;
    const { bytes, crc } = header.hot;
    const cold = end + 1 + bytes;
    const first = cold <= head.length ? head.subarray(end + 1, cold) : read(end + 1, cold);
    if (crc32(first) !== crc) return undefined;
    return snapshotOf(header, first, log, () => {
      const rest = read(cold, size);
      if (crc32(rest, crc) !== header.body) throw new DamagedSnapshot(file);
      return rest;
    });
  });
  if (found) return { ...found, close };
  close();
  return readSnapshot(file, log);
};

/** Half of a snapshot was in use when the other half was found not to be what was written. */
export class DamagedSnapshot extends Error {}

function headerIn(bytes: Buffer, end: number): SnapshotHeader | undefined {
  const header = end < 0 ? undefined : (decodeLine(bytes, 0, end) as SnapshotHeader | undefined);
  return header?.docket === 'snapshot' && header.v === 1 ? header : undefined;
}

function snapshotOf(header: SnapshotHeader, first: Buffer, log?: Log, readRest?: () => Buffer): Snapshot {
  const { active, held = active, hot, base, seq, offset, mark, last } = header;
  const shelf = new Shelf({ ...header, hot: hot?.lines ?? 0 }, first, readRest);
  const ledger = new Ledger(log, shelf);
  for (const id of shelf.ids.slice(0, held)) ledger.get(id); // who works on a task is always known
  ledger.seq = seq;
  ledger.forgetTouched();
  ledger.restoreKeys(header.keys);
  const more = { ...(mark !== undefined && { mark }), ...(last !== undefined && { last }) };
  return { ledger, position: { base, seq, offset, ...more } };
}

/** Whatever it is that cannot be read: all of it is in the journal too. */
function quietly<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
