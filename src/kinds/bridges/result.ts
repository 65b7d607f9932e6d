import type { BlockReason, Task } from '../../task/schema.ts';

/** What a task has come to, for who waits for its result. */
export type Result =
  /** It waits or is at work, or goes on by itself in a while. */
  | { state: 'open' }
  /** Somebody has to act. */
  | { state: 'held'; reason: BlockReason }
  | { state: 'failed'; reason: string }
  | { state: 'canceled'; reason: string }
  | { state: 'done'; summary: string };

/** A function of the task as it is: who asks again after a crash hears the same. */
export function resultOf(task: Task): Result {
  switch (task.status) {
    case 'done':
      return { state: 'done', summary: task.summary };
    case 'failed':
      return { state: 'failed', reason: task.failure.error };
    case 'canceled':
      return { state: 'canceled', reason: task.canceledBecause };
    case 'blocked':
      return task.reason.who === 'docket' ? { state: 'open' } : { state: 'held', reason: task.reason };
    default:
      return task.removedAt === undefined
        ? { state: 'open' }
        : { state: 'canceled', reason: 'it was deleted' };
  }
}
