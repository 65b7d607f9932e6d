import path from 'node:path';
import { adoptProcess } from '../io/process/adopt.ts';
import { workingBelow } from '../io/process/working-below.ts';
import type { Backend } from '../store/backend.ts';
import { openAttempts } from '../task/allowed.ts';
import type { Task } from '../task/schema.ts';

/**
 * Ends agents that a dead docket left at work and that nobody will take over: of tasks that were canceled or removed
 * meanwhile, say. `unwanted` says of which tasks. What was found by its process costs nothing where there is none.
 */
export async function endStrays(
  store: Backend,
  dir: string,
  unwanted: (task: Task) => boolean,
): Promise<void> {
  const attempts = path.join(dir, 'attempts');
  for (const folder of workingBelow(attempts)) {
    const [id = '', step, n] = path.relative(path.resolve(attempts), folder).split(path.sep);
    const task = await store.get(id);
    const open = task && openAttempts(task).find((one) => one.step === step && String(one.n) === n);
    if (!open || !unwanted(task)) continue;
    await adoptProcess({ dir: folder, mark: open.mark })?.stop('canceled');
  }
}

/** Only a queued task is ever taken up again. */
export function isAbandoned(task: Task): boolean {
  return (
    task.removedAt !== undefined ||
    (task.status !== 'queued' && task.status !== 'running' && task.status !== 'review')
  );
}
