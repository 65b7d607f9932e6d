import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { readBytes } from '../../io/files.ts';
import type { Json } from '../../task/json.ts';
import type { Event } from '../../task/schema.ts';
import { decodeLine, encodeLine, isEvent, isHeader, isSealed, logCodec, ownCodec, sealIn } from '../codec.ts';
import { Ledger } from '../ledger.ts';
import { archivedJournals, loadLedger } from './load.ts';
import { journalAt, type Place } from './place.ts';

/** What can be read of a damaged log, as a whole log again. */
export interface Salvage {
  ledger: Ledger;
  /** The log as it would be. */
  text: string;
  /** It is not what is there. */
  changed: boolean;
  dropped: Dropped[];
}

export interface Dropped {
  line: number;
  text: string;
  /** Of an archived journal: its name. */
  file?: string;
}

/** Every line that is an event and follows from those before it is kept; the others are left out, and named. */
export function salvage(place: Place, store: string): Salvage {
  const bytes = readBytes(place.journal) ?? Buffer.alloc(0);
  const begun = begin(place, bytes);
  const known = begun.isPartial ? readAsItIs(place) : undefined;
  if (known) return { ledger: known, text: bytes.toString('utf8'), changed: false, dropped: [] };
  const first = pass(place, store, begun, bytes, false);
  return first.isOpen ? pass(place, store, begun, bytes, true) : first;
}

/** Where a repaired log starts. */
interface Begun {
  base: number;
  /** What archived journals say, where they are whole. */
  before: readonly Event[];
  /** The files whose lines become the log, oldest first. */
  sources: Source[];
  /** The archived journals do not say everything. */
  isPartial: boolean;
}

interface Source {
  bytes: Buffer;
  /** Behind its header. */
  from: number;
  name?: string;
}

/** `apart`: the events of a transaction that has lost its end are kept as single ones. */
function pass(
  place: Place,
  store: string,
  { base, before, sources }: Begun,
  bytes: Buffer,
  apart: boolean,
): Salvage & { isOpen: boolean } {
  const codec = place.log ? logCodec(place.log) : ownCodec;
  const ledger = new Ledger(place.log);
  const dropped: Dropped[] = [];
  const out: string[] = [];
  if (codec.header) out.push(encodeLine({ docket: 'journal', v: 1, store, base }));
  for (const event of before) ledger.apply(event);
  let last = '';
  let isOpen = false;
  ledger.seq = base;
  for (const source of sources) {
    let line = source.from === 0 ? 1 : 2;
    for (let start = source.from; start < source.bytes.length; line += 1) {
      const newline = source.bytes.indexOf(10, start);
      const end = newline < 0 ? source.bytes.length : newline;
      const raw = `${source.bytes.toString('utf8', start, end)}\n`;
      const seq = ledger.seq + 1;
      const event = codec.header
        ? own(source.bytes, start, end)
        : codec.decode(source.bytes, start, end, seq);
      if (event && takes(ledger, { ...event, seq })) {
        const isOurs = codec.header || isSealed(source.bytes, start, end);
        const kept = isOurs ? relinked(source.bytes, start, end, { seq, last, apart }, place) : raw;
        out.push(kept);
        if (isOurs) last = sealIn(kept);
        isOpen = event.more !== undefined;
      } else {
        const text = raw.trimEnd().slice(0, 200);
        dropped.push({ line, text, ...(source.name !== undefined && { file: source.name }) });
      }
      start = end + 1;
    }
  }
  const text = out.join('');
  return { ledger, text, changed: text !== bytes.toString('utf8'), dropped, isOpen };
}

function begin(place: Place, bytes: Buffer): Begun {
  if (place.log) {
    const end = Math.max(0, bytes.indexOf(10));
    const base = logCodec(place.log).baseOf(bytes.subarray(0, end));
    return { base, before: [], sources: [{ bytes, from: 0 }], isPartial: false };
  }
  const { base, from } = headOf(bytes);
  const archived = archivedJournals(place, 0, base ?? Infinity).map(({ path: file }) => file);
  const journal = { bytes, from };
  const before = base === undefined ? undefined : eventsUpTo(base, place, archived);
  if (base !== undefined && before) return { base, before, sources: [journal], isPartial: false };
  // All that can be read becomes one log: what follows an archived journal that lost something has no start otherwise.
  const sources = archived.map((file): Source => {
    const old = readBytes(file) ?? Buffer.alloc(0);
    return { bytes: old, from: headOf(old).from, name: path.basename(file) };
  });
  return { base: 0, before: [], sources: [...sources, journal], isPartial: true };
}

/** With its snapshot a store needs no archived journals. Undefined: it cannot be read. */
function readAsItIs(place: Place): Ledger | undefined {
  const journal = journalAt(place, 'read');
  try {
    return loadLedger(place, journal).ledger;
  } catch (error) {
    if (error instanceof DocketError) return undefined;
    throw error;
  } finally {
    journal.close();
  }
}

function headOf(bytes: Buffer): { base?: number; from: number } {
  const end = Math.max(0, bytes.indexOf(10));
  const header = decodeLine(bytes, 0, end);
  return isHeader(header) ? { base: header.base, from: end + 1 } : { from: 0 };
}

/** Undefined: the archived journals do not say everything. */
function eventsUpTo(base: number, place: Place, archived: readonly string[]): Event[] | undefined {
  const events: Event[] = [];
  for (const file of archived) {
    const journal = journalAt({ ...place, journal: file }, 'read');
    try {
      if (!journal.open() || journal.base !== (events.at(-1)?.seq ?? 0)) return undefined;
      journal.readNew((event) => void events.push(event));
    } catch (error) {
      if (error instanceof DocketError) return undefined;
      throw error;
    } finally {
      journal.close();
    }
  }
  return (events.at(-1)?.seq ?? 0) === base ? events : undefined;
}

function own(bytes: Buffer, start: number, end: number): Event | undefined {
  const event = decodeLine(bytes, start, end);
  return isEvent(event) ? event : undefined;
}

function takes(ledger: Ledger, event: Event): boolean {
  try {
    ledger.apply(event);
    return true;
  } catch {
    return false; // it is about something that the lines before it do not say: it is named among those left out
  }
}

interface Links {
  seq: number;
  last: string;
  apart: boolean;
}

/** The same line, with the number and the link that fit the line before it now. */
function relinked(bytes: Buffer, start: number, end: number, links: Links, { log }: Place): string {
  const value = decodeLine(bytes, start, end) as Record<string, Json>;
  const { seq, last, apart } = links;
  if (!log) {
    const { more, ...rest } = value;
    return encodeLine({ ...rest, seq, ...(!apart && more !== undefined && { more }) });
  }
  const { after, more, ...rest } = value['docket'] as Record<string, Json>;
  const isLinked = after !== undefined && last !== '';
  const docket = { ...rest, ...(!apart && more !== undefined && { more }), ...(isLinked && { after: last }) };
  const isSame = (after ?? '') === (isLinked ? last : '') && (!apart || more === undefined);
  return isSame
    ? `${bytes.toString('utf8', start, end)}\n`
    : encodeLine({ ...value, docket }, log.shared !== undefined);
}
