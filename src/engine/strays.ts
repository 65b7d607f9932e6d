import path from 'node:path';
import { iso, type Clock } from '../io/clock.ts';
import { adoptProcess } from '../io/process/adopt.ts';
import { endLeftover } from '../io/process/leftover.ts';
import { workingBelow } from '../io/process/working-below.ts';
import type { Store } from '../store/store.ts';
import { openAttempts } from '../task/allowed.ts';
import type { Task } from '../task/schema.ts';
import { endAttempts } from './end-attempts.ts';

/** `attempts`, task, step, attempt. */
const levels = 4;

/**
 * Ends what a dead docket left running and nobody will take over: agents of tasks that were canceled or removed meanwhile,
 * say, also what they left behind themselves, and commands that docket ran. `unwanted` says of which tasks.
 */
export async function endStrays(
  { store, clock }: { store: Store; clock: Clock },
  dir: string,
  unwanted: (task: Task) => boolean,
): Promise<void> {
  const base = path.resolve(dir);
  for (const { folder, left } of workingBelow(base, levels)) {
    const [kind, id = '', step, n] = path.relative(base, folder).split(path.sep);
    if (kind !== 'attempts') {
      if (left) await endLeftover(folder);
      continue;
    }
    const task = await store.get(id);
    const open = task && openAttempts(task).find((one) => one.step === step && String(one.n) === n);
    if (!open || !unwanted(task)) continue;
    await adoptProcess({ dir: folder, mark: open.mark })?.stop('canceled');
    // One that is taken up again reads what is left of it.
    if (isAbandoned(task)) await endAttempts(store, id, { by: 'docket', now: iso(clock) });
  }
}

/** Only a queued task is ever taken up again. */
export function isAbandoned(task: Task): boolean {
  return (
    task.removedAt !== undefined ||
    (task.status !== 'queued' && task.status !== 'running' && task.status !== 'review')
  );
}
