import type { Store, Claim, ClaimRequest } from '../store/store.ts';
import type { Task } from '../task/schema.ts';

export interface RunOptions {
  store: Pick<Store, 'claim'>;
  owner: string;
  /** How many tasks at once, as things are. */
  parallel: number | (() => number);
  /** How many are at work, told whenever that changes. */
  onBusy?: (count: number) => void;
  /** Only these tasks. */
  only?: readonly string[];
  signal: AbortSignal;
  /** Works on one claimed task until it is settled or put back. */
  work: (claim: Claim) => Promise<Task>;
  /** Resolves when something may have changed that lets a task start: an addition, an edit, a worker's death. */
  news?: (signal: AbortSignal) => Promise<void>;
  /** Asked when nothing is left: does something go on by itself in a while? Then so does the run. */
  waits?: () => Promise<boolean>;
  /** Goes on when nothing is left, until the signal. What goes wrong meanwhile is told, and tried again. */
  forever?: (fault: unknown) => void;
}

/**
 * Claims what is next and works on it, so many at a time, until nothing is left that could start now. A fault, in the
 * work on one task or in claiming the next, does not end the others; it is thrown when they are done.
 */
export async function runTasks(options: RunOptions): Promise<Task[]> {
  const { store, owner, parallel, only, signal, work, news, waits, forever } = options;
  const finished: Task[] = [];
  const faults: unknown[] = [];
  const putBack = new Set<string>();
  const busy = new Set<Promise<void>>();
  const fault = (error: unknown): void => (forever ? forever(error) : void faults.push(error));
  const claimed = async (max: number): Promise<Claim[]> => {
    try {
      return await store.claim(request(owner, max, only, putBack));
    } catch (error) {
      fault(error);
      return [];
    }
  };
  const worked = (task: Task): void => {
    // By us: it waits for the next run, so that nothing loops all night.
    if (task.status === 'queued') putBack.add(task.id);
    finished.push(task);
  };
  for (;;) {
    const most = typeof parallel === 'number' ? parallel : parallel();
    const free = signal.aborted || faults.length > 0 ? 0 : Math.max(0, most - busy.size);
    const claims = free > 0 ? await claimed(free) : [];
    for (const claim of claims) {
      const done = work(claim).then((task) => worked(task), fault);
      const tracked: Promise<void> = done.finally(() => {
        busy.delete(tracked);
        options.onBusy?.(busy.size);
      });
      busy.add(tracked);
      options.onBusy?.(busy.size);
    }
    const ended = signal.aborted || faults.length > 0;
    // Without a slot of its own it has not looked yet whether something is left.
    const isLast = free > 0 && claims.length === 0 && !forever;
    if (busy.size === 0 && (ended || (isLast && !(await waits?.())))) break;
    if (claims.length < free || free === 0)
      await somethingNew(busy, ended || (free === 0 && busy.size > 0) ? undefined : news, signal);
  }
  if (faults.length > 0) throw faults[0];
  return finished;
}

/** A task has ended, or there may be more to do. */
async function somethingNew(
  busy: ReadonlySet<Promise<void>>,
  news: RunOptions['news'],
  signal: AbortSignal,
): Promise<void> {
  const enough = new AbortController();
  await Promise.race([...busy, ...(news ? [news(AbortSignal.any([signal, enough.signal]))] : [])]);
  enough.abort();
}

function request(
  owner: string,
  max: number,
  only: readonly string[] | undefined,
  putBack: Set<string>,
): ClaimRequest {
  return { owner, max, except: putBack, ...(only && { only }) };
}
