/** An id is a safe file name, never a path. Ids come from people, files and models: check before use. */
export const idPattern = /^[A-Za-z0-9_-]+$/;

export function isTaskId(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 128 && idPattern.test(value) && !isBuiltIn(value);
}

/** `__proto__`, `constructor` and their kind: many tables are keyed by id, and in a plain object these are taken. */
export function isBuiltIn(value: string): boolean {
  return value in Object.prototype;
}

/**
 * Ids sort by number: T-9 comes before T-10. The ids that docket makes have one length and sort by time as text.
 */
export function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : Number(a > b));
}

const digits = '0123456789abcdefghjkmnpqrstvwxyz'; // Crockford's base 32: no i, l, o, u to misread
export const idTailSpan = 32 ** 7;

/** Sixteen characters that sort by time: nine for the millisecond, seven to tell apart what came in the same one. */
export function idFrom(ms: number, tail: number): string {
  return base32(Math.min(Math.max(ms, 0), 32 ** 9 - 1), 9) + base32(tail % idTailSpan, 7);
}

/** What tells an id that docket made from others of the same millisecond; NaN for an id of somebody else. */
export function tailOf(id: string): number {
  let tail = id.length === 16 ? 0 : NaN;
  for (const digit of id.slice(9)) tail = digits.includes(digit) ? tail * 32 + digits.indexOf(digit) : NaN;
  return tail;
}

function base32(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32)) text = digits[rest % 32] + text;
  return text;
}
