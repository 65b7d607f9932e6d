import type { Task } from '../../../task/schema.ts';
import type { BoardTask } from './intent.ts';
import { canceledReason, memoryOf } from './memory.ts';
import { hintOf, ownOf } from './own.ts';
import { wholeSeconds, wordOf } from './words.ts';

/** A task as the board's snapshot lists it. */
export function boardTask(task: Task): BoardTask {
  const memory = memoryOf(task);
  return {
    taskId: task.id,
    title: task.title,
    status: wordOf(task),
    owner: task.owner ?? memory.doneBy ?? null,
    assigneeHint: hintOf(task),
    createdBy: task.createdBy,
    createdAt: wholeSeconds(task.createdAt),
    updatedAt: wholeSeconds(task.updatedAt),
    blockedReason: reasonOf(task) ?? memory.blockedReason ?? null,
    result: (task.status === 'done' ? task.summary : undefined) ?? memory.result ?? null,
    review: (task.status === 'review' ? task.summary : undefined) ?? memory.review ?? null,
    relatedTo: task.relatedTo ?? null,
    projectId: ownOf(task).projectId ?? null,
    history: memory.history,
  };
}

function reasonOf(task: Task): string | undefined {
  switch (task.status) {
    case 'blocked':
      return task.reason.text;
    case 'canceled':
      return canceledReason(task.canceledBecause);
    case 'failed':
      return task.failure.error;
    default:
      return undefined;
  }
}
