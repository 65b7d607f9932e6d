import { crc32 } from 'node:zlib';
import type { Event } from '../task/schema.ts';

/**
 * A journal line: the event as JSON with a checksum of all bytes before it as its last field, at a fixed
 * distance from the end, so that it is found without parsing and a line cannot be half right.
 */
export const maxLineBytes = 64 * 1024;
const seal = ',"crc":"00000000"}'.length;
const sealStart = Buffer.from(',"crc":"');

export function encodeLine(record: object): string {
  const open = JSON.stringify(record).slice(0, -1);
  return `${open},"crc":"${crc32(open).toString(16).padStart(8, '0')}"}\n`;
}

/** The parsed line, or undefined when its bytes are not what was written. */
export function decodeLine(buffer: Buffer, start: number, end: number): unknown {
  const sealed = end - seal;
  if (
    sealed <= start ||
    buffer.compare(sealStart, 0, sealStart.length, sealed, sealed + sealStart.length) !== 0
  ) {
    return undefined;
  }
  const wanted = Number.parseInt(buffer.toString('latin1', sealed + sealStart.length, end - 2), 16);
  if (crc32(buffer.subarray(start, sealed)) !== wanted) return undefined;
  return JSON.parse(`${buffer.toString('utf8', start, sealed)}}`);
}

/** The first line of a journal: which store, and the seq before its first event (compaction starts anew). */
export interface Header {
  docket: 'journal';
  v: 1;
  store: string;
  base: number;
}

export function isHeader(value: unknown): value is Header {
  const header = value as Header | null;
  return typeof header === 'object' && header?.docket === 'journal' && Number.isSafeInteger(header.base);
}

export function isEvent(value: unknown): value is Event {
  const event = value as Event | null;
  return typeof event === 'object' && event !== null && typeof event.taskId === 'string' && event.seq > 0;
}
