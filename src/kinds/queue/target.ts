import { DocketError } from '../../errors.ts';
import type { Store } from '../../store/store.ts';
import { linkText } from '../../task/link.ts';
import type { Task } from '../../task/schema.ts';
import { describe } from './format/describe.ts';
import { ownOf } from './format/record.ts';

/** What two tasks must not work on at once. */
export type Target = readonly [key: 'issue' | 'branch' | 'from', value: string | number];

/**
 * Refuses a second task for an issue or branch while another one waits or runs. The answer is a key for the new task's
 * commit: two adds at the same moment see the same earlier tasks, have the same key, and only one of them commits.
 */
export async function assertFreeTargets(store: Store, targets: readonly Target[]): Promise<string> {
  const earlier = (await store.list({ removed: true })).filter((task) =>
    targets.some((target) => isOn(task, target)),
  );
  for (const task of earlier) refuseActive(task, targets);
  const last = earlier.map(({ id }) => id).toSorted();
  return `target:${targets.map(([key, value]) => `${key}=${value}`).join(',')} after ${last.at(-1) ?? 'none'}`;
}

function isOn(task: Task, [key, value]: Target): boolean {
  if (key !== 'from') return ownOf(task).kept[key] === value;
  return task.standsFor !== undefined && linkText(task.standsFor) === value;
}

/** In the words of the format: a task that only waits for time or for another is still pending there. */
function refuseActive(task: Task, targets: readonly Target[]): void {
  const status = describe(task)?.['status'];
  if (status !== 'pending' && status !== 'running') return;
  const { name } = ownOf(task);
  const [key, value] = targets.find((target) => isOn(task, target)) ?? ['task', task.id];
  throw new DocketError(
    'REFUSED',
    `Active task target already exists: ${key}=${value} (${name}, ${status})`,
    `look at it: docket show ${task.id}; or add a second one on purpose with --again`,
    { id: task.id, name, target: { [key]: value } },
  );
}
