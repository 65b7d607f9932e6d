import type { Order } from '../../task/pick.ts';
import type { Task } from '../../task/schema.ts';

/** An id begins with the millisecond in which the task was made: nine characters, all zero in a record without a time. */
const timeLength = 9;
const noTime = '0'.repeat(timeLength);

/** False: tasks were made in the same millisecond, or have ids without a time; their ids say nothing about the order. */
export function areInOrder(tasks: Iterable<{ id: string }>): boolean {
  const times = new Set([noTime]);
  for (const { id } of tasks) {
    const time = id.slice(0, timeLength);
    if (times.has(time)) return false;
    times.add(time);
  }
  return true;
}

/** By the time in which tasks were made; tasks of the same time stand as in the file. */
export function inFileOrder(
  tasks: readonly Task[],
  orderOf: (tasks: Iterable<Task>) => Order | undefined,
): Task[] {
  const order = orderOf(tasks);
  const place = ({ id }: Task): number => order?.get(id) ?? 0;
  return tasks.toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt) || place(a) - place(b));
}
