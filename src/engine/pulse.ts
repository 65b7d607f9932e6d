import { messageOf } from '../errors.ts';
import { usedBetween, type TreeUse } from '../io/process/activity.ts';
import type { AgentProcess } from '../io/process/process.ts';
import { works } from './ladder.ts';

interface Sample {
  at: number;
  use: TreeUse;
}

/** Whether the processes of a silent agent are at work. Looked at from time to time, and only in a silence. */
export class Pulse {
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
