import type { Derived, LogLayout } from '../../../layout/layout.ts';
import { isTaskId } from '../../../task/id.ts';
import type { Task } from '../../../task/schema.ts';
import { log } from './log.ts';
import { locksFolder } from './places.ts';
import { snapshot } from './snapshot.ts';
import { wordOf } from './words.ts';

/** A board: many tasks in one log, and who does what. Its snapshot is made from the log and never read as the truth. */
export const boardLayout: LogLayout = { name: 'board', log, whole: snapshot, derived: leaseFile };

/** Who holds a task, for people who look among the locks. It is gone when nobody does. */
function leaseFile(task: Task): Derived[] {
  if (!isTaskId(task.id)) return []; // an id from a damaged log must not become a path
  const text = leaseText(task);
  return [{ path: `${locksFolder}/${task.id}.lease.json`, key: text ?? '', text: () => text }];
}

function leaseText(task: Task): string | undefined {
  if (!('lease' in task) || task.lease === undefined || task.removedAt !== undefined) return undefined;
  const { id: taskId, owner, lease, token } = task;
  return `${JSON.stringify({ taskId, owner, status: wordOf(task), token, lease }, undefined, 2)}\n`;
}
