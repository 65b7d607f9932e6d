import type { OnProgress } from '../engine/progress.ts';
import type { Ways } from '../settings/room.ts';
import type { KindName } from '../task/kind-names.ts';
import { rank } from '../task/pick.ts';
import type { Task } from '../task/schema.ts';
import { endedWaits } from './requeue.ts';

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

/** What of the ordered work waits for nobody, first what docket left in the middle. */
export function dueNow(
  ordered: readonly OrderedWork[],
  now: number,
  ways: Ways,
): { due: DueTask[]; nextMs: number | undefined } {
  const all = ordered.flatMap(({ tasks }) => tasks);
  const { ended, nextMs } = endedWaits(all, now, ways);
  const over = new Map(ended.map(({ task, state }) => [task, ` ${state}`]));
  const stateOf = (task: Task): string[] => {
    const wait = task.status === 'queued' ? '' : over.get(task);
    return wait === undefined ? [] : [`${task.id} ${task.rev}${wait}`];
  };
  const due = ordered.flatMap(({ tasks, also = [], ...work }): DueTask[] => {
    const states = [...tasks.flatMap(stateOf), ...[also].flat()];
    if (states.length === 0) return [];
    const ranks = tasks.map((task) => rank(task));
    return [{ ...work, state: states.join(), isBegun: tasks.some(isBegun), rank: Math.min(...ranks) }];
  });
  return { due: due.toSorted((a, b) => Number(b.isBegun) - Number(a.isBegun) || a.rank - b.rank), nextMs };
}

function isBegun({ status, attempts = {} }: Task): boolean {
  return status === 'queued' && Object.keys(attempts).length > 0;
}
