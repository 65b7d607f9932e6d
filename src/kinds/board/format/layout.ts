import type { Derived, LogLayout, Whole } from '../../../layout/layout.ts';
import { asciiJson } from '../../../schema/json.ts';
import { isTaskId } from '../../../task/id.ts';
import type { Task } from '../../../task/schema.ts';
import { memoryOf } from './extras.ts';
import { log } from './log.ts';
import { locksFolder } from './places.ts';
import { boardTask, wordOf, wholeSeconds } from './task.ts';

const version = 2;

/** `tasks.snapshot.json`, in the bytes that the format's other tools write. */
export const snapshot: Whole = {
  path: 'state/tasks.snapshot.json',
  head: '{\n  "tasks": {\n',
  between: ',\n',
  tail: (at) => `\n  },\n${meta(at)}`,
  empty: (at) => `{\n  "tasks": {},\n${meta(at)}`,
  piece(task) {
    if (task.removedAt !== undefined) return undefined;
    const text = JSON.stringify(boardTask(task), undefined, 2).replaceAll('\n', '\n    ');
    return asciiJson(`    ${JSON.stringify(task.id)}: ${text}`);
  },
  order: (task) => memoryOf(task).born,
};

function meta(at: string): string {
  const updatedAt = wholeSeconds(at);
  return `  "meta": {\n    "version": ${version},\n    "updatedAt": "${updatedAt}"\n  }\n}\n`;
}

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
