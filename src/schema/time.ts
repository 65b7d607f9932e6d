/** What stands for a time that nobody can read. */
export const epoch = '1970-01-01T00:00:00.000Z';

const shape =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ]((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?)(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$/;

/**
 * A record's time as the core model wants it, or undefined when it is none: the format asks for ISO 8601, but real
 * files hold anything ("yesterday"). A time without a zone is taken as UTC, so that every machine reads the same.
 */
export function timeOf(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  const [, date, time = '00:00:00.000', zone = 'Z'] = shape.exec(text) ?? [];
  if (date === undefined || !isDay(date)) return undefined;
  return `${date}T${time}${zone}`;
}

/** `Date` takes the 30th of February for a day in March. */
function isDay(date: string): boolean {
  const at = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date);
}
