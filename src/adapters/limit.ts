import type { AgentError } from './adapter.ts';
import type { Symptoms } from './classify.ts';
import { isLimitNotice } from './limit-notice.ts';
import { fromEpoch, resetIn, sane } from './reset-time.ts';

interface Limit {
  resetAt?: string;
  /** What had to be assumed to read the time. */
  note?: string;
}

/** A limit notice among the answers: short, and nothing but the notice. Undefined: it is none. */
export function limitIn(text: string, now: number): Limit | undefined {
  return isLimitNotice(text, now) ? limitOf(text, now) : undefined;
}

/** What a message says about the end of a limit, where it is known to be about one. */
export function limitOf(message: string, now: number): Limit {
  const reset = resetIn(message, now);
  if (!reset) return {};
  const resetAt = new Date(reset.at).toISOString();
  return reset.note === undefined ? { resetAt } : { resetAt, note: reset.note };
}

/** What had to be assumed about the time is said where people read about the limit. */
export function limitError(message: string, { resetAt, note }: Limit): AgentError {
  return {
    class: 'limit',
    message: note === undefined ? message : `${message} (${note})`,
    ...(resetAt !== undefined && { resetAt }),
  };
}

/** When a limit ends, by the fields of an event. What is past, or further than any limit lasts, says nothing. */
export function resetFrom(
  { resetsAt, retryAfter }: Pick<Symptoms, 'resetsAt' | 'retryAfter'>,
  now: number,
): string | undefined {
  const times = [moment(resetsAt), afterNow(retryAfter, now)];
  const at = times.map((time) => sane(time, now)).find((time) => time !== undefined);
  return at === undefined ? undefined : new Date(at).toISOString();
}

/** Epoch seconds or milliseconds, as a number or in digits; or a date in words. */
function moment(value: number | string | undefined): number {
  if (value === undefined) return Number.NaN;
  const count = typeof value === 'number' ? value : numberIn(value);
  return count === undefined ? Date.parse(value as string) : fromEpoch(count);
}

/** `Retry-After` is a number of seconds or an HTTP date. */
function afterNow(value: number | string | undefined, now: number): number {
  if (value === undefined) return Number.NaN;
  const seconds = typeof value === 'number' ? value : numberIn(value);
  return seconds === undefined ? Date.parse(value as string) : now + seconds * 1000;
}

function numberIn(text: string): number | undefined {
  return /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}
