import type { Backend, Claim, ClaimRequest } from '../store/backend.ts';
import type { Task } from '../task/schema.ts';

export interface RunOptions {
  store: Backend;
  owner: string;
  /** How many tasks at once. */
  parallel: number;
  /** Only these tasks. */
  only?: readonly string[];
  signal: AbortSignal;
  /** Works on one claimed task until it is settled or put back. */
  work: (claim: Claim) => Promise<Task>;
}

/**
 * Claims what is next and works on it, so many at a time, until nothing is left that could start now. A fault, in the
 * work on one task or in claiming the next, does not end the others; it is thrown when they are done.
 */
export async function runTasks(options: RunOptions): Promise<Task[]> {
  const { store, owner, parallel, only, signal, work } = options;
  const finished: Task[] = [];
  const faults: unknown[] = [];
  const tried = new Set<string>();
  const busy = new Set<Promise<void>>();
  const claimed = async (max: number): Promise<Claim[]> => {
    try {
      return await store.claim(request(owner, max, only, tried));
    } catch (error) {
      faults.push(error);
      return [];
    }
  };
  for (;;) {
    const free = signal.aborted || faults.length > 0 ? 0 : parallel - busy.size;
    const claims = free > 0 ? await claimed(free) : [];
    for (const claim of claims) {
      tried.add(claim.task.id);
      const done = work(claim).then(
        (task) => void finished.push(task),
        (error: unknown) => void faults.push(error),
      );
      const tracked: Promise<void> = done.finally(() => busy.delete(tracked));
      busy.add(tracked);
    }
    if (busy.size === 0) break;
    if (claims.length < free || free === 0) await Promise.race(busy);
  }
  if (faults.length > 0) throw faults[0];
  return finished;
}

/** Each task once per run: what went back into the queue waits for the next run, so that nothing loops all night. */
function request(
  owner: string,
  max: number,
  only: readonly string[] | undefined,
  tried: Set<string>,
): ClaimRequest {
  return { owner, max, except: tried, ...(only && { only }) };
}
