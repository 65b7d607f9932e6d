import type { AgentEvent } from '../adapters/adapter.ts';
import type { Price } from '../adapters/agent.ts';
import { withCost } from '../adapters/usage.ts';
import { longestTimerMs } from '../io/clock.ts';
import { amount, reachedBy, type Caps } from '../task/caps.ts';
import type { BlockReason } from '../task/schema.ts';
import type { Used } from '../task/used-schema.ts';
import { nothingUsed, plus, usedBy } from '../task/used.ts';

/** What one call may use. It counts while the agent works, as far as that tells, and ends it at the cap. */
export class Purse {
  readonly #caps: Caps | undefined;
  readonly #price: Price | undefined;
  readonly #empty = new AbortController();
  readonly #timer: NodeJS.Timeout | undefined;
  #used: Used = nothingUsed;
  /** The agent is ended when it is empty, or when docket says so. */
  readonly signal: AbortSignal;
  /** At which cap it was ended, and with how much. */
  spent: BlockReason | undefined;

  /** `gone`: so many seconds it has worked before. */
  constructor(caps: Caps | undefined, price: Price | undefined, signal: AbortSignal, gone = 0) {
    this.#caps = caps;
    this.#price = price;
    const { seconds } = caps ?? {};
    this.signal = caps ? AbortSignal.any([signal, this.#empty.signal]) : signal;
    const leftMs = Math.max(0, (seconds ?? Infinity) - gone) * 1000;
    if (seconds !== undefined && leftMs <= longestTimerMs)
      this.#timer = setTimeout(() => this.#count({ ...nothingUsed, seconds }), leftMs);
  }

  saw(event: AgentEvent): void {
    if (this.#caps && event.type === 'usage' && event.turn)
      this.#count({ ...usedBy(withCost(event.turn, this.#price), 0), calls: 0 });
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #count(more: Used): void {
    this.#used = plus(this.#used, more);
    const { calls: _, ...caps } = this.#caps ?? {};
    const reached = reachedBy(caps, this.#used, { calls: 0 });
    if (!reached || this.spent !== undefined || this.signal.aborted) return;
    const cap = `attempt.${reached.unit}`;
    const text = `${cap}: ${amount(reached)} are used, and the call was ended; raise it (docket budget set ${cap} NUMBER), and the next run goes on with it`;
    const { unit, used } = reached;
    this.spent = { kind: 'budget', text, who: 'a person', cap: { scope: 'attempt', unit, used } };
    this.#empty.abort('canceled');
  }
}
