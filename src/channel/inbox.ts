import * as v from 'valibot';
import { DocketError } from '../errors.ts';
import { systemClock, type Clock } from '../io/clock.ts';
import type { LockKind } from '../io/lock.ts';
import { inboundSchema, type Inbound } from './channel.ts';
import { Spool, type Entry } from './spool.ts';

const number = v.fallback(v.number(), 0);
const takenSchema = v.object({
  inbound: inboundSchema,
  arrivedAt: number,
  tries: number,
  /** Why it could not be acted on. */
  why: v.exactOptional(v.string()),
});
export type Taken = v.InferOutput<typeof takenSchema>;

const maxWaiting = 10_000;

/**
 * What people said and nobody has acted on yet. It is on disk before the vendor hears that we have it, and a second
 * delivery of the same message is known as one, also after a restart.
 */
export class Inbox {
  readonly spool: Spool<Taken>;
  readonly #clock: Clock;
  readonly #mask: (text: string) => string;

  /** `mask`: takes out of people's words what nobody may keep. */
  constructor(
    base: string,
    lock: LockKind,
    clock: Clock = systemClock,
    mask: (text: string) => string = (text) => text,
  ) {
    this.#mask = mask;
    this.spool = new Spool(base, 'inbox', { lock, schema: takenSchema, keep: 5000 });
    this.#clock = clock;
  }

  /** False: it was here before. */
  async take(channel: string, said: Inbound): Promise<boolean> {
    const inbound = said.kind === 'message' ? { ...said, text: this.#mask(said.text) } : said;
    if (this.spool.count('waiting') >= maxWaiting)
      throw new DocketError('REFUSED', 'too many messages wait to be read', 'let docket catch up');
    const key = `${channel}:${inbound.kind}:${inbound.id}`;
    const value = { inbound, arrivedAt: this.#clock.now(), tries: 0 };
    const [isNew = false] = await this.spool.put([{ key, value }]);
    return isNew;
  }

  /** What could not be acted on is tried again; what of it was done before is not done twice. */
  retryDead(): Promise<number> {
    return this.spool.revive(({ why: _, ...taken }) => ({ ...taken, tries: 0 }));
  }
}

/**
 * What to act on next. Deliveries overtake each other, so a message waits a moment for those that were said before it.
 * A number: look again in so many milliseconds.
 */
export function nextInbound(
  waiting: readonly Entry<Taken>[],
  now: number,
  settleMs: number,
): Entry<Taken> | number {
  const age = (entry: Entry<Taken>): number => Math.abs(now - entry.value.arrivedAt);
  const oldest = waiting.reduce((most, entry) => Math.max(most, age(entry)), -1);
  if (oldest < 0) return Infinity;
  if (oldest < settleMs) return settleMs - oldest;
  return waiting.reduce((first, entry) => (saidBefore(entry, first) ? entry : first));
}

function saidBefore(a: Entry<Taken>, b: Entry<Taken>): boolean {
  const [earlier, later] = [a.value.inbound.at, b.value.inbound.at];
  return earlier < later || (earlier === later && a.number < b.number);
}
