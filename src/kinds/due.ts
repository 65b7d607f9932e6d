import type { OnProgress } from '../engine/progress.ts';
import type { Project } from '../settings/project.ts';
import type { Ways } from '../settings/room.ts';
import type { KindName } from '../task/kind-names.ts';
import { rank } from '../task/pick.ts';
import type { BlockReason, Task } from '../task/schema.ts';
import { waitOf } from './requeue.ts';

/** Ordered work of a kind without a queue: one task, or on the board all that is ordered there. */
export interface OrderedWork {
  layout: Exclude<KindName, 'queue'>;
  id: string;
  title: string;
  /** It is due when one of these may go on. */
  tasks: readonly Task[];
  /** Why it is due apart from that, and how it looked. */
  also?: string;
  work(signal: AbortSignal, onProgress: OnProgress | undefined): Promise<Task | undefined>;
}

/** Work that can be done, or gone on with, now. */
export interface DueTask extends Pick<OrderedWork, 'layout' | 'id' | 'title' | 'work'> {
  /** What it looked like: the same work is not begun twice for the same state. */
  state: string;
  /** Docket left it in the middle: its agent may still be at work in the people's tree. */
  isBegun: boolean;
  rank: number;
}

const lookAgainMs = 5_000;

/** Says what may go on. Of those that wait for the same provider one finds out whether it answers. */
export class DueLine {
  readonly #tries = new Set<string>();
  readonly #now: number;
  readonly #ways: Ways;
  #nextMs = Infinity;

  constructor({ clock }: Pick<Project, 'clock'>, ways: Ways) {
    this.#now = clock.now();
    this.#ways = ways;
  }

  /** In so many milliseconds there may be more; undefined: only if somebody acts. */
  get nextMs(): number | undefined {
    return Number.isFinite(this.#nextMs) ? this.#nextMs : undefined;
  }

  dueIn({ tasks, also, ...work }: OrderedWork): DueTask[] {
    const states = [
      ...tasks.flatMap((task) => this.#stateOf(task) ?? []),
      ...(also === undefined ? [] : [also]),
    ];
    if (states.length === 0) return [];
    const ranks = tasks.map((task) => rank(task));
    return [{ ...work, state: states.join(), isBegun: tasks.some(isBegun), rank: Math.min(...ranks) }];
  }

  /** What makes it due: with every wait that is over that is something else. Undefined: it is not. */
  #stateOf(task: Task): string | undefined {
    const state = `${task.id} ${task.rev}`;
    if (task.status === 'queued') return state;
    const wait = waitOf(task, this.#now, this.#ways);
    if (wait?.kind === 'until') this.#nextMs = Math.min(this.#nextMs, wait.time - this.#now);
    if (wait?.kind === 'tried') this.#nextMs = Math.min(this.#nextMs, lookAgainMs);
    if (wait?.kind === 'over') return `${state} ${wait.text}`;
    if (wait?.kind !== 'try' || this.#tries.has(wait.provider)) return undefined;
    this.#tries.add(wait.provider);
    return `${state} ${wait.text} ${this.#ways.meter.parked(wait.provider)?.parked.until}`;
  }
}

export function reasonOf(task: Task): BlockReason | undefined {
  return task.status === 'blocked' ? task.reason : undefined;
}

function isBegun({ status, attempts = {} }: Task): boolean {
  return status === 'queued' && Object.keys(attempts).length > 0;
}
