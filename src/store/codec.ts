import type { Json, Log } from '../layout/layout.ts';
import type { Event, Task } from '../task/schema.ts';
import { decodeLine, encodeLine, isEvent, isHeader, isSealed, type Header } from './line.ts';

/** How events stand in a journal: docket's own has a header, and every line says its seq. A format's log has neither. */
export interface Codec {
  readonly header: boolean;
  /** `base`: this is the first line of a log that goes on from another one, which ended with that seq. */
  encode(event: Event, before?: Task, base?: number): string;
  /** Undefined: its bytes are not what was written, or it is not the line that comes next. */
  decode(buffer: Buffer, start: number, end: number, seq: number): Event | undefined;
  /** The seq before that of the first line. */
  baseOf(line: Buffer): number;
}

export const ownCodec: Codec = {
  header: true,
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
    encode(event, before, base) {
      const line = log.encode(event, before);
      if (base !== undefined && isRecord(line['docket'])) line['docket'] = { ...line['docket'], base };
      return encodeLine(line, ascii);
    },
    baseOf(line) {
      const value = log.shared && line.includes('"base":') ? decodeLine(line, 0, line.length) : undefined;
      const docket = isRecord(value) ? value['docket'] : undefined;
      const base = isRecord(docket) ? docket['base'] : undefined;
      return typeof base === 'number' && Number.isSafeInteger(base) && base > 0 ? base : 0;
    },
    decode(buffer, start, end, seq) {
      const value = isSealed(buffer, start, end)
        ? decodeLine(buffer, start, end)
        : foreign(buffer, start, end);
      return isRecord(value) ? log.decode(value, seq) : undefined;
    },
  };
}

export function readHeader(head: Buffer, end: number): Header | undefined {
  const header = end < 0 ? undefined : decodeLine(head, 0, end);
  return isHeader(header) ? header : undefined;
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
