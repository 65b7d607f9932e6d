import type { Task } from '../task/schema.ts';

/** In the order in which tasks were made. */
export function byMaking(a: Task, b: Task): number {
  return Date.parse(a.createdAt) - Date.parse(b.createdAt) || a.rev - b.rev;
}

/** Is it still in the file? */
export function isListed(task: Task): boolean {
  return task.removedAt === undefined && task.archivedAt === undefined;
}
