/**
 * `never`: the same message will be refused again. `later`: this message, or every message (`wide`), may pass after a while;
 * `afterMs` is the vendor's own word on how long.
 */
export type SendFate = { retry: 'never' } | { retry: 'later'; afterMs?: number; wide?: true };

/** A message that was not sent, or of which nobody knows whether it was. */
export class SendError extends Error {
  readonly fate: SendFate;

  constructor(message: string, fate: SendFate, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'SendError';
    this.fate = fate;
  }
}

/** What is not known to be hopeless is tried again. */
export function fateOf(error: unknown): SendFate {
  return error instanceof SendError ? error.fate : { retry: 'later' };
}

/** Seconds, or a date, as HTTP has it. */
export function retryAfterMs(header: string | null | undefined, now: number): number | undefined {
  if (header === null || header === undefined || header.trim() === '') return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), longestAfterMs) : undefined;
}

/** A header that asks for a year is a mistake or an attack. */
const longestAfterMs = 60 * 60_000;

const firstMs = 500;
const longestMs = 5 * 60_000;
const spread = 0.2;

/** How long to wait after so many tries: twice as long each time, uneven, so that many do not come back at once. */
export function backoffMs(tries: number, random: number): number {
  const doubled = Math.min(firstMs * 2 ** Math.min(Math.max(tries, 1) - 1, 30), longestMs);
  return Math.round(doubled * (1 - spread + 2 * spread * random));
}
