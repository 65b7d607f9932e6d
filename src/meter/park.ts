import type { Parked } from './book.ts';

const minute = 60_000;
/** Clocks differ a little, and providers open a little late. */
const firstMarginMs = 5_000;
const firstGuessMs = minute;
const longestGuessMs = 30 * minute;
/** The longest limits are weekly. */
const longestToldMs = 8 * 24 * 60 * minute + longestGuessMs;
/** What comes back so soon had not ended. */
const sameForMs = 15 * minute;

/** What a provider said to one call. */
export interface Notice {
  kind: Parked['kind'];
  reason: string;
  source: string;
  /** When it may be asked again, if it said so. */
  resetAt?: string;
  /** The call was the one that tried. */
  probe: boolean;
}

/**
 * How long the provider is left alone now. Calls that were at work together hear the same thing: only the one that tried
 * counts as a further strike. With every strike the margin behind the told time grows, and so does our guess.
 */
export function parkedBy(notice: Notice, before: Parked | undefined, now: number): Parked {
  const { kind, reason, source, resetAt } = notice;
  const isOpen = before !== undefined && before.openedAt === undefined;
  const cameBack = before?.openedAt !== undefined && now - Date.parse(before.openedAt) < sameForMs;
  const strikes = isOpen && !notice.probe ? before.strikes : isOpen || cameBack ? before.strikes + 1 : 0;
  const told = resetAt === undefined ? Number.NaN : Date.parse(resetAt);
  const isTold = told > now;
  const until = isTold ? told + marginAfter(strikes) : now + guessAfter(strikes);
  const kept = isOpen && !notice.probe ? triedFrom(before, now) : 0;
  const since = isOpen || cameBack ? Math.min(Date.parse(before.since), now) : now;
  return {
    since: new Date(since).toISOString(),
    until: new Date(Math.max(until, kept)).toISOString(),
    told: isTold,
    kind,
    reason,
    source,
    strikes,
  };
}

/**
 * When somebody may try it. A time that no limit can have was written while the clock was wrong: then that is now, and
 * who tries hears a better one.
 */
export function triedFrom({ since, until, told }: Parked, now: number): number {
  const longest = minute + (told ? longestToldMs : longestGuessMs);
  const wasWrong = Date.parse(since) > now + minute || Date.parse(until) > now + longest;
  return wasWrong ? now : Date.parse(until);
}

function marginAfter(strikes: number): number {
  return strikes === 0 ? firstMarginMs : Math.min(minute * 2 ** (strikes - 1), longestGuessMs);
}

function guessAfter(strikes: number): number {
  return Math.min(firstGuessMs * 2 ** strikes, longestGuessMs);
}
