import type { Log } from '../layout/layout.ts';
import type { Json } from '../task/json.ts';
import type { Event, Task } from '../task/schema.ts';
import { badLine, newerFormat } from './journal-error.ts';
import { decodeLine, encodeLine, isEvent, isHeader, isSealed, sealIn, type Header } from './line.ts';

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
