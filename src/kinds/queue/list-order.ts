import { tailOf } from '../../task/id.ts';
import type { Order } from '../../task/pick.ts';
import type { Task } from '../../task/schema.ts';

/** An id begins with the millisecond in which the task was made: nine characters, all zero in a record without a time. */
const timeLength = 9;
const noTime = '0'.repeat(timeLength);

/**
 * False: the ids say nothing about the order of some tasks, because these have no time, or the same one. Ids that count up
 * were made one after the other by one process, so they are in order.
 */
export function areInOrder(ids: Iterable<string>): boolean {
  const byTime = new Map<string, string[]>();
  for (const id of ids) {
    const time = id.slice(0, timeLength);
    if (time === noTime) return false;
    const same = byTime.get(time);
    if (same) same.push(id);
    else byTime.set(time, [id]);
  }
  return [...byTime.values()].every((same) => same.length < 2 || countUp(same));
}

function countUp(ids: readonly string[]): boolean {
  let [first = '', last = first] = ids;
  for (const id of ids) {
    if (id < first) first = id;
    if (id > last) last = id;
  }
  return tailOf(last) - tailOf(first) === ids.length - 1;
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
