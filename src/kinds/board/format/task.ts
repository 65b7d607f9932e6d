import type { Task } from '../../../task/schema.ts';
import { canceledReason, memoryOf, hintOf, ownOf } from './extras.ts';
import type { BoardTask, BoardStatus } from './intent.ts';

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

/** The board's word for where a task is. What was given up is blocked there, for good. */
export function wordOf({ status, owner }: Pick<Task, 'status' | 'owner'>): BoardStatus {
  return boardWord(status, owner !== undefined);
}

export function boardWord(status: Task['status'], owned: boolean): BoardStatus {
  switch (status) {
    case 'queued':
      return owned ? 'claimed' : 'pending';
    case 'running':
      return 'in_progress';
    case 'canceled':
      return 'blocked';
    default:
      return status;
  }
}

/** The board's times are UTC, in whole seconds. */
export function wholeSeconds(time: string): string {
  return `${new Date(Date.parse(time)).toISOString().slice(0, 19)}Z`;
}
