/** A time as a clock on the wall shows it. Months count from 1. */
export interface WallTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
}

/** Abbreviations that CLIs print. All others must be names of the IANA list, which Intl knows. */
const abbreviations: Readonly<Record<string, string>> = {
  Z: 'UTC',
  PT: 'America/Los_Angeles',
  PST: 'America/Los_Angeles',
  PDT: 'America/Los_Angeles',
  PACIFIC: 'America/Los_Angeles',
  MST: 'America/Denver',
  MDT: 'America/Denver',
  CST: 'America/Chicago',
  CDT: 'America/Chicago',
  ET: 'America/New_York',
  EST: 'America/New_York',
  EDT: 'America/New_York',
  CET: 'Europe/Berlin',
  CEST: 'Europe/Berlin',
  BST: 'Europe/London',
  JST: 'Asia/Tokyo',
};

/** The zone by its name, or undefined: then nobody here knows it. */
export function zoneOf(name: string): string | undefined {
  const known = abbreviations[name.toUpperCase()] ?? name;
  try {
    return formatOf(known).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

export function localZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making one takes milliseconds; there are few zones. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const made =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
  if (formats.size < 100) formats.set(zone, made);
  return made;
}

export function wallTimeAt(instant: number, zone: string): WallTime {
  const parts = formatOf(zone).formatToParts(instant);
  const part = (type: string): number => Number(parts.find((found) => found.type === type)?.value);
  return {
    year: part('year'),
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
  };
}

const hour = 3_600_000;

/**
 * When the clocks of a zone show this. In the hour that comes twice in autumn it is the later one, because a limit
 * that is asked too early answers with itself; in the hour that is left out in spring it is the moment after.
 */
export function instantOf(wall: WallTime, zone: string): number {
  const asUtc = utcOf(wall);
  // An offset changes by whole days at the most (the date line), so what holds a day before and after is enough.
  const offsets = [-24, 24].map((hours) => offsetAt(asUtc + hours * hour, zone));
  const instants = offsets.map((offset) => asUtc - offset);
  const right = instants.filter((instant) => utcOf(wallTimeAt(instant, zone)) === asUtc);
  return Math.max(...(right.length > 0 ? right : instants));
}

/** Days are counted on the calendar, not by 24 hours. */
export function addDays(wall: WallTime, days: number): WallTime {
  const moved = new Date(Date.UTC(wall.year, wall.month - 1, wall.day + days));
  return { ...wall, year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate() };
}

export function weekdayOf({ year, month, day }: WallTime): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay();
}

function offsetAt(instant: number, zone: string): number {
  return utcOf(wallTimeAt(instant, zone)) - Math.floor(instant / 60_000) * 60_000;
}

function utcOf({ year, month, day, hour, minute }: WallTime): number {
  return Date.UTC(year, month - 1, day, hour, minute);
}
