import type { AgentEvent } from '../adapters/adapter.ts';
import { eventWords, nameOf } from '../adapters/tool-use.ts';
import { messageOf } from '../errors.ts';
import type { AgentProcess } from '../io/process/process.ts';
import { type TreeUse, usedBetween } from '../io/process/table.ts';
import {
  type Evidence,
  evidenceText,
  type StallLimits,
  lookEvery,
  nextStallAction,
  type Seen,
  slept,
  works,
} from './stall-policy.ts';

interface Sample {
  at: number;
  use: TreeUse;
}

/** Whether the processes of a silent agent are at work. Looked at from time to time, and only in a silence. */
export class ProcessActivity {
  readonly #process: Pick<AgentProcess, 'use'>;
  /** Of this silence: the first look, the one that work is counted from, and the last. */
  #looks: { first: Sample; base: Sample; last: Sample } | undefined;
  /** When work was last seen, in milliseconds of performance.now(). */
  lastWork = 0;
  /** Why the last look failed. */
  blind: string | undefined;

  constructor(process: Pick<AgentProcess, 'use'>) {
    this.#process = process;
  }

  /** `silentSince`: a silence that began after the last look is another one. */
  async look(silentSince: number): Promise<void> {
    let use: TreeUse;
    try {
      use = await this.#process.use();
    } catch (error) {
      this.blind = messageOf(error);
      return;
    }
    this.blind = undefined;
    const last = { at: performance.now(), use };
    const looks = this.#looks && this.#looks.base.at >= silentSince ? this.#looks : undefined;
    const { first, base } = looks ?? { first: last, base: last };
    // Twice: on a full machine what waits for its turn uses little, and an idle one is seldom seen awake.
    const isBusy = use.busy > 0 && (looks?.last.use.busy ?? 0) > 0;
    // What its processes had used is gone with them, and their end is told soon.
    const haveEnded = use.processes === 0 && looks?.last.use.processes !== 0;
    const isAtWork = isBusy || haveEnded || works(usedBetween(base.use, use), last.at - base.at);
    if (isAtWork) this.lastWork = last.at;
    this.#looks = { first, base: isAtWork ? last : base, last };
  }

  /** From the first to the last look of this silence. */
  get used(): { use: TreeUse; overMs: number } | undefined {
    if (!this.#looks) return undefined;
    const { first, last } = this.#looks;
    return { use: usedBetween(first.use, last.use), overMs: last.at - first.at };
  }
}

/** Ends what takes too long or shows no sign of life. What it does next, the ladder says. */
export class Watchdog {
  readonly #limits: StallLimits;
  readonly #process: AgentProcess;
  readonly #patient: boolean;
  readonly #now: () => number;
  readonly #pulse: ProcessActivity;
  readonly #started = performance.now();
  readonly #openTools = new Map<string, string>();
  readonly #timer: NodeJS.Timeout;
  #looking = false;
  #lookedAt = performance.now();
  /** When we woke up: nothing counts as silence that we slept through. */
  #awake = 0;
  #lastEvent = performance.now();
  #lastWords: string | undefined;
  #interrupted: { at: number; takeBack: () => void } | undefined;
  #spared = false;
  #questions = 0;
  #askedAt = 0;
  /** How long people have thought about its questions: that is not the agent's time. */
  #waited = 0;
  /** What was seen when it had to be ended; undefined: it had not to be. */
  evidence: string | undefined;

  /** `patient`: the agent does not say when a tool begins, so every silence may be one. */
  constructor(process: AgentProcess, limits: StallLimits, options: { patient: boolean; now: () => number }) {
    this.#process = process;
    this.#pulse = new ProcessActivity(process);
    this.#limits = limits;
    this.#patient = options.patient;
    this.#now = options.now;
    this.#timer = setInterval(() => void this.#look(), lookEvery(limits));
  }

  saw(event: AgentEvent): void {
    this.#lastEvent = performance.now();
    this.#lastWords = eventWords(event);
    if (event.type !== 'tool') return;
    if (event.phase === 'start') this.#openTools.set(event.id, nameOf(event.name));
    else this.#openTools.delete(event.id);
  }

  /** The agent waits for a person until the function is called that this returns. */
  holdsQuestion(): () => void {
    if (this.#questions === 0) this.#askedAt = performance.now();
    this.#questions += 1;
    return () => {
      this.#questions -= 1;
      if (this.#questions > 0) return;
      this.#lastEvent = performance.now();
      this.#waited += this.#lastEvent - this.#askedAt;
    };
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    const now = performance.now();
    if (slept(now - this.#lookedAt, this.#limits)) this.#awake = now;
    this.#lookedAt = now;
    if (this.#questions === 0) await this.#climb();
    this.#looking = false;
  }

  async #climb(): Promise<void> {
    switch (nextStallAction(this.#seen(), this.#limits)) {
      case 'watch':
        return;
      case 'probe':
        return this.#pulse.look(this.#lastSaid());
      case 'interrupt':
        return this.#interrupt();
      case 'spare':
        this.#interrupted?.takeBack();
        this.#interrupted = undefined;
        this.#spared = true;
        this.evidence = undefined;
        return;
      case 'stop':
        return this.#stop('stall', 'in vain');
      case 'timeout':
        return this.#stop('timeout', 'never');
    }
  }

  async #interrupt(): Promise<void> {
    this.evidence = this.#seenWords('and ended');
    const at = performance.now();
    // Whom it cannot reach, the next rung does.
    const takeBack = await this.#process.interrupt().catch(() => () => undefined);
    this.#interrupted = { at, takeBack };
  }

  #stop(reason: 'stall' | 'timeout', interrupted: Evidence['interrupted']): void {
    this.close();
    this.evidence = this.#seenWords(interrupted);
    // The process's own end tells the rest; a stop that fails is told there as well.
    this.#process.stop(reason).catch(() => undefined);
  }

  #lastSaid(): number {
    return Math.max(this.#process.lastOutput(), this.#lastEvent);
  }

  #seen(): Seen {
    const now = performance.now();
    const said = this.#lastSaid();
    const heard = Math.max(said, this.#awake);
    const since = this.#interrupted?.at;
    return {
      age: now - this.#started - this.#waited,
      quiet: now - heard,
      idle: now - Math.max(heard, this.#pulse.lastWork),
      tool: this.#patient || this.#openTools.size > 0,
      spared: this.#spared,
      ...(since !== undefined && { interrupted: { ago: now - since, answered: said > since } }),
    };
  }

  #seenWords(interrupted: Evidence['interrupted']): string {
    const now = performance.now();
    const { used, blind } = this.#pulse;
    const at = new Date(this.#now() - (now - this.#lastEvent)).toISOString();
    return evidenceText({
      quietMs: now - this.#lastSaid(),
      ...(this.#lastWords !== undefined && { last: { words: this.#lastWords, at } }),
      tools: [...this.#openTools.values()],
      ...(used && { used }),
      ...(blind !== undefined && { blind }),
      interrupted,
    });
  }
}
