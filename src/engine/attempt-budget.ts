import type { AgentEvent, Usage } from '../adapters/adapter.ts';
import type { Agent, Price } from '../adapters/agent.ts';
import { type Turn, withCost } from '../adapters/fold.ts';
import { command, fix } from '../errors/command.ts';
import { longestTimerMs } from '../io/clock.ts';
import type { Over } from '../meter/meter.ts';
import { amount, type Caps, reachedBy } from '../task/caps.ts';
import type { BlockReason } from '../task/schema.ts';
import type { Used } from '../task/used-schema.ts';
import { nothingUsed, plus, usedBy } from '../task/used.ts';
import { noticeOf } from './admission.ts';
import { type Recorder, wasStopped } from './recorder.ts';

/** What one call may use. It counts while the agent works, as far as that tells, and ends it at the cap. */
export class AttemptBudget {
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
    const text =
      fix`${cap}: ${amount(reached)} are used, and the call was ended; raise it (${command`budget set ${cap} NUMBER`}), and the next run goes on with it`
        .text;
    const { unit, used } = reached;
    this.spent = { kind: 'budget', text, who: 'a person', cap: { scope: 'attempt', unit, used } };
    this.#empty.abort('canceled');
  }
}

interface Called {
  recorder: Recorder;
  step: string;
  agent: Agent;
}

const nothing: Usage = { input: 0, cached: 0, output: 0 };

/** Without a word of its model: its provider let it in for nothing, and a night of such calls must not use up a budget. */
const turnedAway: ReadonlySet<string | undefined> = new Set(['limit', 'transient', 'auth']);

/** What a call is booked at. Undefined: the vendor did not report its usage. */
export function usageToBook(
  { usage, error }: Pick<Turn, 'usage' | 'error'>,
  { worked, free }: { worked: boolean; free: boolean },
): Usage | undefined {
  if (free) return { ...nothing, ...usage, cost: 0 };
  return usage ?? (!worked && turnedAway.has(error?.class) ? { ...nothing, cost: 0 } : undefined);
}

/** What the call's end means for its provider. A limit is heard here, whoever judges the step. */
export function overFor({ recorder, step, agent }: Called, turn: Turn, ms: number): Over {
  const used = usedBy(turn.usage, ms / 1000);
  // Whose price is known otherwise counts as the most that one has come to, and not as nothing.
  if (used.unpriced && (agent.price || agent.adapter.capabilities.costs)) used.untold = 1;
  const { error } = turn;
  if (error?.class !== 'limit') return { used, answered: error === undefined && !wasStopped(turn) };
  return { used, answered: false, notice: noticeOf(error, 'limit', `${recorder.task.id}/${step}`) };
}
