import { addDays, instantOf, localZone, wallTimeAt, weekdayOf, zoneOf, type WallTime } from './wall-time.ts';

export interface Reset {
  at: number;
  /** What had to be assumed, for people to read. */
  note?: string;
}

const day = 86_400_000;
/** The longest limits are weekly. What is further away was misread, or is nonsense. */
const furthest = 8 * day;
/** A notice may be read a moment after the time it names: that is not a day of waiting. */
const justNow = 2 * 60_000;

/** A time that can be waited for, or undefined. */
export function sane(at: number, now: number): number | undefined {
  return Number.isFinite(at) && at > now && at - now <= furthest ? at : undefined;
}

/** Seconds since 1970, or milliseconds: the second is a thousand times as much. */
export function fromEpoch(value: number): number {
  return value > 100_000_000_000 ? value : value * 1000;
}

const verb = String.raw`\b(?:resets?|resetting|try again|retry(?:ing)?(?:[ -]after)?|available(?: again)?|renews?|wait|refills?)`;
const relative = new RegExp(`${verb}:?,? *(?:in|after|for)?:? *(?:about |approximately |~)?(?=\\d)`, 'gi');
const absolute = new RegExp(`${verb}:?(?: (?:at|on|by|until))?:? *(?=[\\w(])`, 'gi');
const units =
  /(\d+(?:\.\d+)?) ?(ms|milliseconds?|d|days?|h|hrs?|hours?|m|mins?|minutes?|s|secs?|seconds?|weeks?)\b,?(?: and)? ?/giy;

/** When a limit ends, by the words of a message that is known to be about one. */
export function resetIn(message: string, now: number): Reset | undefined {
  const text = message.slice(0, 2000);
  return found(fromBar(text), now) ?? inSomeTime(text, now) ?? atSomeTime(text, now);
}

function found(at: number | undefined, now: number): Reset | undefined {
  const sound = at === undefined ? undefined : sane(at, now);
  return sound === undefined ? undefined : { at: sound };
}

/** "usage limit reached|1731700800" */
function fromBar(text: string): number | undefined {
  const digits = /\| ?(\d{10}|\d{13})\b/.exec(text)?.[1];
  return digits === undefined ? undefined : fromEpoch(Number(digits));
}

function inSomeTime(text: string, now: number): Reset | undefined {
  for (const match of text.matchAll(relative)) {
    const start = match.index + match[0].length;
    const length = durationAt(text, start, /retry[ -]after:? *$/i.test(match[0]));
    const reset = length === undefined ? undefined : found(now + length, now);
    if (reset) return reset;
  }
  return undefined;
}

const unitMs: Readonly<Record<string, number>> = { d: day, h: 3_600_000, m: 60_000, s: 1000, w: 7 * day };

function durationAt(text: string, start: number, bareSeconds: boolean): number | undefined {
  let total: number | undefined;
  units.lastIndex = start;
  for (let match = units.exec(text); match !== null; match = units.exec(text)) {
    const unit = (match[2] ?? '').toLowerCase();
    const ms = /^(ms|milli)/.test(unit) ? 1 : (unitMs[unit.charAt(0)] ?? 0);
    total = (total ?? 0) + Number(match[1]) * ms;
  }
  if (total !== undefined || !bareSeconds) return total;
  const seconds = /^\d{1,6}(?![\d:])/.exec(text.slice(start))?.[0];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

function atSomeTime(text: string, now: number): Reset | undefined {
  for (const match of text.matchAll(absolute)) {
    const reset = timeAt(text.slice(match.index + match[0].length, match.index + match[0].length + 80), now);
    if (reset) return reset;
  }
  return undefined;
}

const iso = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?/;

function timeAt(text: string, now: number): Reset | undefined {
  const stamp = iso.exec(text)?.[0];
  if (stamp !== undefined)
    return found(
      Date.parse(
        stamp
          .replace(' ', 'T')
          .replace(/ ?UTC$/, 'Z')
          .replace(' ', ''),
      ),
      now,
    );
  const epoch = /^(\d{10}|\d{13})\b/.exec(text)?.[0];
  if (epoch !== undefined) return found(fromEpoch(Number(epoch)), now);
  const read = readWall(text);
  if (!read) return undefined;
  const named = zoneName(text.slice(read.length));
  const known = named === undefined ? undefined : zoneOf(named);
  const zone = known ?? localZone();
  const reset = found(nextTime(read, now, zone), now);
  if (!reset || named === undefined || known !== undefined) return reset;
  return { ...reset, note: `the time zone "${named}" is unknown here; the time was read as local (${zone})` };
}

/** "(Europe/Berlin)", "UTC", "Pacific time". Letters alone count only where they are capitals: "7pm tomorrow". */
function zoneName(rest: string): string | undefined {
  const match =
    /^ ?\(([A-Za-z][\w+\-/ ]{0,40})\)|^ ?([A-Z][A-Za-z]+\/[\w/+-]+|[A-Z]{2,4}\b|Pacific(?= time))/.exec(rest);
  return match?.[1]?.replace(/ time$/i, '') ?? match?.[2];
}

interface Read {
  length: number;
  hour: number;
  minute: number;
  date?: { month: number; day: number; year?: number };
  weekday?: number;
  tomorrow?: true;
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const weekdays = 'sun mon tue wed thu fri sat'.split(' ');
const monthDay =
  /^(?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? (?<day>\d{1,2})(?:st|nd|rd|th)?(?:,? (?<year>\d{4}))?/i;
const dayMonth =
  /^(?<day>\d{1,2})(?:st|nd|rd|th)? (?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?(?:,? (?<year>\d{4}))?/i;
const weekday = /^(?<weekday>sun|mon|tue|wed|thu|fri|sat)[a-z]*/i;
const clock =
  /^(?:(?<hour>\d{1,2})(?::(?<minute>\d\d)(?::\d\d)?)? ?(?<half>[ap])\.?m\b\.?|(?<hour24>\d{1,2}):(?<minute24>\d\d)(?::\d\d)?\b(?! ?[ap]\.?m)|(?<word>midnight|noon)\b)/i;

/** "7pm", "18:05", "Nov 16, 7pm", "16 Nov at 19:00", "Monday 9am", "tomorrow at 7am", "Nov 20th, 2026 6:05 PM". */
function readWall(text: string): Read | undefined {
  const date = monthDay.exec(text) ?? dayMonth.exec(text) ?? weekday.exec(text) ?? /^tomorrow/i.exec(text);
  const before =
    date === null ? 0 : date[0].length + (/^,?(?: at)? */.exec(text.slice(date[0].length))?.[0].length ?? 0);
  const time = clock.exec(text.slice(before));
  if (time === null) return undefined;
  const { hour, minute, half, hour24, minute24, word } = time.groups ?? {};
  const clockHour = word
    ? word.toLowerCase() === 'noon'
      ? 12
      : 0
    : hour24 !== undefined
      ? Number(hour24)
      : halfDay(Number(hour), half);
  const read: Read = {
    length: before + time[0].length,
    hour: clockHour,
    minute: Number(minute ?? minute24 ?? 0),
  };
  if (read.hour > 23 || read.minute > 59 || Number.isNaN(read.hour)) return undefined;
  const { month, day, year, weekday: name } = date?.groups ?? {};
  if (month !== undefined) {
    read.date = {
      month: months.indexOf(month.toLowerCase()) + 1,
      day: Number(day),
      ...(year && { year: Number(year) }),
    };
  } else if (name !== undefined) read.weekday = weekdays.indexOf(name.toLowerCase());
  else if (date !== null) read.tomorrow = true;
  return read;
}

function halfDay(hour: number, half: string | undefined): number {
  if (hour < 1 || hour > 12) return Number.NaN;
  return (hour % 12) + (half?.toLowerCase() === 'p' ? 12 : 0);
}

/** The first moment after now that fits, on the calendar of the zone. */
function nextTime(read: Read, now: number, zone: string): number | undefined {
  const { hour, minute, date } = read;
  const today = { ...wallTimeAt(now, zone), hour, minute };
  const choices = ((): WallTime[] => {
    if (date) return [date.year ?? today.year, today.year + 1].map((year) => ({ ...today, ...date, year }));
    if (read.tomorrow) return [addDays(today, 1)];
    if (read.weekday === undefined) return [today, addDays(today, 1)];
    const ahead = (read.weekday - weekdayOf(today) + 7) % 7;
    return [addDays(today, ahead), addDays(today, ahead + 7)];
  })();
  for (const choice of choices) {
    const at = instantOf(choice, zone);
    if (at > now) return at;
    if (now - at <= justNow) return undefined;
  }
  return undefined;
}
