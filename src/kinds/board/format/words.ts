import type { Task } from '../../../task/schema.ts';
import type { BoardStatus } from './intent.ts';

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
