import { createHash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../io/clock.ts';

const windowMs = 5 * 60_000;
const maxKnown = 50_000;

/** Tells a request that was recorded and sent again: it is too old, or its nonce was here before. */
export class Replays {
  readonly #clock: Clock;
  readonly #seen = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Only for requests whose signature is right: others must not fill the memory. */
  doubtAbout(time: number, nonce: string): string | undefined {
    const now = this.#clock.now();
    if (!(Math.abs(now - time) <= windowMs)) return 'its time is more than 5 minutes away from ours';
    if (nonce === '') return 'it has no nonce';
    if (this.#seen.has(nonce)) return 'it was sent before';
    this.#forget(now);
    if (this.#seen.size >= maxKnown) return 'too many requests in 5 minutes';
    this.#seen.set(nonce, time);
    return undefined;
  }

  /** In the order of arrival, which is close to that of time: those at the front go first. */
  #forget(now: number): void {
    for (const [nonce, time] of this.#seen) {
      if (now - time <= windowMs) break;
      this.#seen.delete(nonce);
    }
  }
}

/** Compares secrets in a time that does not tell how much of them was right. */
export function isSame(ours: string, theirs: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(ours), hash(theirs));
}
