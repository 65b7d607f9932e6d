import { crc32 } from 'node:zlib';
import { asciiJson } from '../schema/ascii-json.ts';
import type { Event, NewEvent } from '../task/schema.ts';

/**
 * A journal line: the event as JSON with a checksum of all bytes before it as its last field, at a fixed
 * distance from the end, so that it is found without parsing and a line cannot be half right.
 */
export const maxLineBytes = 1024 * 1024;
const seal = Buffer.from(sealOf(0));
const digitsFrom = seal.indexOf('0');
const digitsTo = seal.lastIndexOf('0') + 1;
const hexValue = new Int8Array(256).fill(-1);
for (let value = 0; value < 16; value += 1) hexValue[value.toString(16).charCodeAt(0)] = value;

function sealOf(crc: number): string {
  return `,"crc":"${crc.toString(16).padStart(8, '0')}"}`;
}

/** `ascii`: for a log whose other readers may take a line separator of Unicode for the end of a line. */
export function encodeLine(record: object, ascii = false): string {
  const json = JSON.stringify(record);
  const open = (ascii ? asciiJson(json) : json).slice(0, -1);
  return `${open}${sealOf(crc32(open))}\n`;
}

/** Room for the stamp that the event gets at its commit, and for escapes. */
const stampBytes = 1024;

export function fitsLine(event: NewEvent, ascii = false): boolean {
  const json = JSON.stringify(event);
  return Buffer.byteLength(ascii ? asciiJson(json) : json) + stampBytes <= maxLineBytes;
}

/** The parsed line, or undefined when its bytes are not what was written. */
export function decodeLine(buffer: Buffer, start: number, end: number): unknown {
  const sealed = end - seal.length;
  if (sealed <= start || crc32(buffer.subarray(start, sealed)) !== readSeal(buffer, sealed)) return undefined;
  return JSON.parse(`${buffer.toString('utf8', start, sealed)}}`);
}

/** Does it end as our lines do? What it says may be wrong all the same. */
export function isSealed(buffer: Buffer, start: number, end: number): boolean {
  const sealed = end - seal.length;
  return sealed > start && readSeal(buffer, sealed) >= 0;
}

/** The checksum of a line of ours, as it stands in it. */
export function sealIn(line: string): string {
  return line.trimEnd().slice(-10, -2);
}

/** The checksum of the seal, or -1. Byte by byte, because a call into the runtime for each part takes longer. */
function readSeal(buffer: Buffer, sealed: number): number {
  let crc = 0;
  for (let at = 0; at < seal.length; at += 1) {
    const byte = buffer[sealed + at] ?? 0;
    if (at < digitsFrom || at >= digitsTo) {
      if (byte !== seal[at]) return -1;
      continue;
    }
    const value = hexValue[byte] ?? -1;
    if (value < 0) return -1;
    crc = crc * 16 + value;
  }
  return crc;
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
