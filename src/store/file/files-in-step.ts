import type { Clock } from '../../io/clock.ts';
import type { Layout } from '../../layout/layout.ts';
import type { Order } from '../../task/pick.ts';
import type { Task } from '../../task/schema.ts';
import type { Ledger } from '../ledger.ts';
import type { AnsweredRemoval, Commit, Finding } from '../store.ts';
import type { Place } from './place.ts';
import type { Placed } from './position.ts';

/** Follows a store: the writer asks it before the jobs of a round, under the lock, and tells it after them. */
export interface Subscriber {
  /** What people did outside of the store becomes events. */
  adoptEdits(ledger: Ledger, commit: Commit, now: string, journal: Placed): void;
  /** Milliseconds until it is worth a look; 0 = now. */
  unsettledMs(): number;
  /** Milliseconds until it should be told what the store says; 0 = now, undefined = it knows. */
  dueIn(ledger: Ledger): number | undefined;
  hurry(): void;
  write(ledger: Ledger, journal: Placed): void;
  /** Milliseconds until a write that came to nothing is tried again; undefined: there is none. */
  readonly retryIn: number | undefined;
  /** Why it stays behind when nobody waits any longer; undefined: somebody still should. */
  readonly givenUp: string | undefined;
}

/** Keeps people's files and the journal in step. */
export interface FilesInStep extends Subscriber {
  /** What people must mend in their files. */
  readonly findings: Finding[];
  /** Where tasks stand in the file, if people put it in order. */
  readonly order?: (tasks: Iterable<Task>) => Order;
  /** Tasks that must not start before a person has answered. */
  readonly waitingForAnswer?: ReadonlySet<string>;
  /** A person's answer to removals that were held. */
  answerRemovals?(
    confirm: boolean,
    by: string,
    under: { ledger: Ledger; commit: Commit; now: string },
  ): AnsweredRemoval[];
}

export interface Settling {
  /** A file that somebody else changed is left alone until it has been quiet for so long: it may be half saved. */
  settleMs: number;
  clock: Clock;
}

export interface FilesOptions extends Settling {
  root: string;
  place: Place;
  layout: Layout;
  projectionLagMs: number;
  /** How long other tools that have a file locked are waited for. */
  fileWaitMs?: number;
  warn: (warning: string) => void;
}

/** Only the module is loaded that the layout needs: to load both takes longer than a command on a short log. */
export async function filesFor(
  layout: Layout,
): Promise<(options: Omit<FilesOptions, 'layout'>) => FilesInStep> {
  if (layout.mirror === undefined) {
    const { WholeFile } = await import('./whole-file.ts');
    return (options) => new WholeFile({ ...options, layout });
  }
  const { Projection } = await import('./projection.ts');
  return (options) => new Projection({ ...options, layout });
}

/** In a burst of commits at most a twentieth of the time goes into files: the longer the file, the fewer writes. */
const costToPause = 19;
/** Files about one task stay short: if a write of them takes long, the machine is busy, and people are waiting for them. */
export const longestPauseForOne = 100;

/** When a file that follows the journal is written: at once when things are quiet, some milliseconds later in a burst. */
export class Pace {
  readonly #lagMs: number;
  readonly #longestMs: number;
  #lastWrite = Number.NEGATIVE_INFINITY;
  #lastCost = 0;
  #hurried = false;

  constructor(lagMs: number, longestMs = Number.POSITIVE_INFINITY) {
    this.#lagMs = lagMs;
    this.#longestMs = longestMs;
  }

  get dueIn(): number {
    if (this.#hurried) return 0;
    const forCost = Math.min(this.#lastCost * costToPause, this.#longestMs);
    const pause = this.#lagMs === 0 ? 0 : Math.max(this.#lagMs, forCost);
    return Math.max(0, this.#lastWrite + pause - performance.now());
  }

  hurry(): void {
    this.#hurried = true;
  }

  /** Another process wrote it: the pause is for all together, or eight would do nothing else. */
  noticed(): void {
    this.#lastWrite = performance.now();
  }

  wrote(startedAt: number): void {
    this.#hurried = false;
    this.#lastWrite = performance.now();
    this.#lastCost = this.#lastWrite - startedAt;
  }
}

/** The other tools look again after so long. */
const pauseMs = 25;
const longPauseMs = 1000;

/** When the mirror is to be tried again that could not be written now. Commits do not wait for it. */
export class FileWait {
  readonly #longestMs: number;
  #since: number | undefined;
  #next = 0;

  /** So long somebody who wants to end waits for the file; who stays tries less often from then on. */
  constructor(longestMs: number) {
    this.#longestMs = longestMs;
  }

  /** Milliseconds until the next try; undefined: nothing is in the way. */
  get dueIn(): number | undefined {
    return this.#since === undefined ? undefined : Math.max(0, this.#next - performance.now());
  }

  get isOver(): boolean {
    return this.#since !== undefined && performance.now() - this.#since >= this.#longestMs;
  }

  begin(): void {
    this.#since ??= performance.now();
    this.#next = performance.now() + (this.isOver ? longPauseMs : pauseMs);
  }

  end(): void {
    this.#since = undefined;
  }
}
