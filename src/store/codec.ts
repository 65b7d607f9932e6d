import { crc32 } from 'node:zlib';
import type { Log } from '../layout/layout.ts';
import { asciiJson } from '../schema/json.ts';
import type { Json } from '../task/json.ts';
import type { Event, NewEvent, Task } from '../task/schema.ts';
import { badLine, newerFormat } from './journal-error.ts';

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

/**
 * Is this what a crash in the middle of a write leaves? Zero bytes stand where blocks never reached the disk.
 * A complete line with other damage was changed by somebody, and is an error instead.
 */
export function isTornTail(line: Buffer): boolean {
  return line.includes(0);
}

/**
 * Damage with good lines behind it is not a tail. Looks at the rest of the file piece by piece: the damage may be
 * larger than our memory. The first line is the damaged one itself.
 */
export function hasValidLineAfter(
  offset: number,
  isLine: (chunk: Buffer, start: number, end: number) => boolean,
  read: (into: Buffer, position: number) => number,
): boolean {
  const chunk = Buffer.allocUnsafe(2 * maxLineBytes);
  for (let at = offset; ;) {
    const length = read(chunk, at);
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0 && end < length; end = chunk.indexOf(10, start)) {
      if (isValid(isLine, chunk, start, end)) return true;
      start = end + 1;
    }
    if (length < chunk.length) return false;
    at += start || length; // no line of ours is as long as the piece: this is still the damage
  }
}

function isValid(
  isLine: (chunk: Buffer, start: number, end: number) => boolean,
  chunk: Buffer,
  start: number,
  end: number,
): boolean {
  try {
    return isLine(chunk, start, end);
  } catch {
    return false;
  }
}

/**
 * A blank line, a comment or the like: it was never an event of ours, which would end with a checksum. Had it been one,
 * the next line of ours would say that it is missing. One with zero bytes may be the rest of a write.
 */
export function isStray(buffer: Buffer, start: number, end: number): boolean {
  if (end - start > maxLineBytes || isSealed(buffer, start, end)) return false;
  const line = buffer.subarray(start, end);
  return !line.includes(0) && !line.includes('"docket":');
}

/** How events stand in a journal: docket's own has a header, and every line says its seq. A format's log has neither. */
export interface Codec {
  readonly header: boolean;
  /** One task's log: a line that is no event at all may stand in it, and hides none of the others. */
  readonly skips: boolean;
  encode(event: Event, before?: Task, link?: Link): string;
  /**
   * Undefined: its bytes are not what was written, or it is not the line that comes next. `last`: the checksum of the
   * line of ours before it, '' if it is the first; undefined: nobody knows.
   */
  decode(buffer: Buffer, start: number, end: number, seq: number, last?: string): Event | undefined;
  /** The seq before that of the first line. */
  baseOf(line: Buffer): number;
}

/** How a line is tied to those before it, where lines do not say their seq. */
interface Link {
  /** It is the first line of a log that goes on from another one, which ended with that seq. */
  base?: number;
  /** The checksum of the last line of ours before it. */
  after?: string;
}

export const ownCodec: Codec = {
  header: true,
  skips: false,
  encode: (event) => encodeLine(event),
  baseOf: () => 0, // it is in the header
  decode(buffer, start, end, seq) {
    const event = decodeLine(buffer, start, end);
    return isEvent(event) && event.seq === seq ? event : undefined;
  },
};

/**
 * Our lines carry our checksum, as the last key. Other tools' lines have none: what they say is taken as it stands. A
 * line that lost its checksum, or does not match it, was changed by somebody.
 */
export function logCodec(log: Log): Codec {
  const ascii = log.shared !== undefined;
  return {
    header: false,
    skips: log.shared === undefined,
    encode(event, before, link = {}) {
      const line = log.encode(event, before);
      if (isRecord(line['docket'])) line['docket'] = { ...line['docket'], ...link };
      return encodeLine(line, ascii);
    },
    baseOf(line) {
      const value = log.shared && line.includes('"base":') ? decodeLine(line, 0, line.length) : undefined;
      const docket = isRecord(value) ? value['docket'] : undefined;
      const base = isRecord(docket) ? docket['base'] : undefined;
      return typeof base === 'number' && Number.isSafeInteger(base) && base > 0 ? base : 0;
    },
    decode(buffer, start, end, seq, last) {
      const value = isSealed(buffer, start, end)
        ? decodeLine(buffer, start, end)
        : foreign(buffer, start, end);
      return isRecord(value) && follows(value, last) ? log.decode(value, seq) : undefined;
    },
  };
}

/** Lines of other tools may come between; a line of ours that is missing or was moved breaks the chain. */
function follows({ docket }: Readonly<Record<string, Json>>, last: string | undefined): boolean {
  const after = isRecord(docket) ? docket['after'] : undefined;
  return after === undefined || last === undefined || after === last;
}

/** Makes lines that follow each other, and the one with this checksum. */
export function chained(codec: Codec, last: string | undefined): (event: Event, before?: Task) => string {
  if (codec.header) return (event) => codec.encode(event);
  let after = last;
  return (event, before) => {
    const line = codec.encode(event, before, after ? { after } : {});
    after = sealIn(line);
    return line;
  };
}

export function headerIn(head: Buffer, end: number, file: string): Header {
  const header = end < 0 ? undefined : decodeLine(head, 0, end);
  if (!isHeader(header)) throw badLine(file, 1, head.subarray(0, end < 0 ? head.length : end));
  if (header.v !== 1) throw newerFormat(file, 1, header.v);
  return header;
}

function foreign(buffer: Buffer, start: number, end: number): unknown {
  try {
    const value: unknown = JSON.parse(buffer.toString('utf8', start, end));
    return isRecord(value) && 'docket' in value ? undefined : value;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
