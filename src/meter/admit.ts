import { type Caps, type Most, type Reached, reachedBy } from '../task/caps.ts';
import type { Used } from '../task/used-schema.ts';
import { nothingUsed, plus } from '../task/used.ts';
import {
  type Book,
  type Call,
  dayOf,
  type Here,
  isFor,
  type NewMeterEvent,
  type Parked,
  parkedNow,
} from './book.ts';

export interface Wish {
  mark: string;
  call: Omit<Call, 'at' | 'used' | 'lost' | 'probe'>;
  /** The most that this call may come to: its agent is ended there. */
  most?: Most;
  caps: readonly DayCaps[];
  /** A docket that died has made it: it is paid for, whatever the book still knows of it. */
  begun?: true;
}

/** What may be used in a day. */
export interface DayCaps {
  /** In the words of the settings: `day`, `providers.claude`. */
  scope: string;
  caps: Caps;
  /** Only what is used here. Absent: by all projects of the user. */
  here?: Here;
  /** Only what is used of this one. */
  provider?: string;
}

export type Answer =
  | { kind: 'go'; probe: boolean }
  | { kind: 'parked'; parked: Parked; /** Somebody is trying it now. */ tried: boolean }
  | { kind: 'cap'; scope: string; reached: Reached };

interface World {
  now: number;
  isAlive: (call: Call) => boolean;
}

/**
 * May this call be made now? Under the book's lock: the answer and what is written down about it are one. Asking again
 * for a call that is in the book (a later docket took it over) is always granted: it was begun.
 */
export function admit(
  book: Book,
  wish: Wish,
  { now, isAlive }: World,
): { answer: Answer; events: NewMeterEvent[] } {
  const { mark, call } = wish;
  const known = book.calls[mark];
  // It died after it had settled, and before that was in the journal.
  if (known?.used) return { answer: { kind: 'go', probe: false }, events: [] };
  if (known || wish.begun) return go(mark, { ...call, ...(known?.probe && { probe: true }) });
  const { calls, lost } = withoutDead(book, isAlive);
  const atWork = calls.filter((one) => isAtWork(one));
  const parked = parkedNow(book, call.provider);
  if (parked) {
    const tried = atWork.some((one) => one.probe && one.provider === call.provider);
    if (tried || triedFrom(parked, now) > now)
      return { answer: { kind: 'parked', parked, tried }, events: lost };
  }
  for (const caps of wish.caps) {
    const reached = capReached(calls, wish, caps, now);
    if (reached) return { answer: { kind: 'cap', scope: caps.scope, reached }, events: lost };
  }
  const { answer, events } = go(mark, { ...call, ...(parked && { probe: true }) });
  return { answer, events: [...lost, ...events] };
}

function go(mark: string, call: Omit<Call, 'at' | 'used' | 'lost'>) {
  const answer: Answer = { kind: 'go', probe: call.probe === true };
  const events: NewMeterEvent[] = [{ type: 'reserved', mark, call }];
  return { answer, events };
}

function isAtWork({ used, lost }: Call): boolean {
  return used === undefined && !lost;
}

/** Calls whose docket has died are not at work: from here on nobody knows what they use, until somebody reads it. */
function withoutDead(
  { calls }: Book,
  isAlive: (call: Call) => boolean,
): { calls: Call[]; lost: NewMeterEvent[] } {
  const lost: NewMeterEvent[] = [];
  const known = Object.entries(calls).map(([mark, call]): Call => {
    if (!isAtWork(call) || isAlive(call)) return call;
    lost.push({ type: 'lost', mark });
    return { ...call, lost: true };
  });
  return { calls: known, lost };
}

function capReached(
  calls: readonly Call[],
  { call, most }: Wish,
  caps: DayCaps,
  now: number,
): Reached | undefined {
  if (!counts(caps, call)) return undefined;
  const under = calls.filter((one) => counts(caps, one));
  const largest = { ...largestOf(under), ...most };
  return reachedBy(caps.caps, sumOn(under, dayOf(now), largest), {
    calls: under.filter((one) => isAtWork(one)).length,
    most: largest,
  });
}

/** May one call more be made under a day's cap, as far as is known without its agent? `most`: of one call. */
export function hasRoom(book: Book, caps: DayCaps, most: Most, world: World): boolean {
  const calls = withoutDead(book, world.isAlive).calls.filter((one) => counts(caps, one));
  const used = sumOn(calls, dayOf(world.now), { ...largestOf(calls), ...most });
  return reachedBy(caps.caps, used, { calls: 0 }) === undefined;
}

export function counts({ here, provider }: DayCaps, one: Here & Pick<Call, 'provider'>): boolean {
  return (here === undefined || isFor(here, one)) && (provider === undefined || isOf(one.provider, provider));
}

/** `codex` is every account of codex. */
export function isOf(provider: string, named: string): boolean {
  return provider === named || provider.startsWith(`${named}@`);
}

/** The most that one call has come to. A call that used nothing, because it was refused, says nothing about others. */
function largestOf(calls: readonly Call[]): Most {
  const most = (unit: keyof Most) => Math.max(0, ...calls.map(({ used }) => used?.[unit] ?? 0));
  const [tokens, money, seconds] = [most('tokens'), most('money'), most('seconds')];
  return { ...(tokens > 0 && { tokens }), ...(money > 0 && { money }), ...(seconds > 0 && { seconds }) };
}

/** What is used of a day's caps. */
export function usedOn(caps: DayCaps, calls: readonly Call[], day: string): Used {
  const under = calls.filter((one) => counts(caps, one));
  return sumOn(under, day, largestOf(under));
}

/** What calls of that day have told, and nothing that is assumed for the others. */
export function toldOn(caps: DayCaps, calls: readonly Call[], day: string): Used {
  const told = calls.filter((one) => counts(caps, one) && dayOf(one.at) === day);
  const sum = told.reduce((all, { used }) => (used ? plus(all, used) : all), nothingUsed);
  // A call whose docket died was made: nothing is assumed about that.
  return { ...sum, calls: sum.calls + told.filter(({ used, lost }) => !used && lost).length };
}

/** A call of which nobody knows counts as the most that one has come to. */
function sumOn(calls: readonly Call[], day: string, { tokens = 0, money = 0, seconds = 0 }: Most): Used {
  let sum = nothingUsed;
  for (const { used, lost, at } of calls) {
    if (dayOf(at) !== day || (!used && !lost)) continue;
    const counted = used ?? { ...nothingUsed, calls: 1, untold: 1, unpriced: 1, seconds };
    const most = { tokens: Math.max(counted.tokens, tokens), money: Math.max(counted.money, money) };
    sum = plus(sum, counted.untold ? { ...counted, ...most } : counted);
  }
  return sum;
}

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
