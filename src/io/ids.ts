import { randomInt } from 'node:crypto';
import type { Clock } from './clock.ts';

const digits = '0123456789abcdefghjkmnpqrstvwxyz'; // Crockford's base 32: no i, l, o, u to misread
const randomSpan = 32 ** 7;
let last = { ms: 0, tail: 0 };

/**
 * Sixteen characters that sort by time: nine for the millisecond, seven at random. Within one process and
 * millisecond the random part counts up, so ids made in a row keep their order.
 */
export function newId(clock: Clock): string {
  const ms = Math.max(clock.now(), last.ms);
  const tail = ms === last.ms ? (last.tail + 1) % randomSpan : randomInt(randomSpan);
  last = { ms, tail };
  return base32(ms, 9) + base32(tail, 7);
}

function base32(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32)) text = digits[rest % 32] + text;
  return text;
}
