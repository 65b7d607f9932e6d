import type { Task } from '../../../task/schema.ts';
import { withApp, type Context } from '../context.ts';
import { copyable } from '../copyable.ts';
import { nameOf } from '../name.ts';
import { visible } from '../visible.ts';

/** Tasks that were named and that nobody worked on. Who names one wants to know why. */
export async function notRun(context: Context, ran: readonly Task[]): Promise<Task[]> {
  const named = new Set(context.args.operands);
  if (named.size === 0) return [];
  const done = new Set(ran.map(({ id }) => id));
  const { tasks } = await withApp(context, (app) => app.list({}));
  return tasks.filter((task) => !done.has(task.id) && (named.has(task.id) || named.has(nameOf(task))));
}

/** What such a task is, and the command that would put it back. */
export function whyNot(task: Task, context: Context): string {
  const name = nameOf(task);
  const is = `${visible(name)} is ${task.status}`;
  if (task.status === 'done') return `${is}; to do it once more: ${copyable(context, 'requeue', name)}`;
  if (task.status === 'canceled') return `${is}; to take it up again: ${copyable(context, 'retry', name)}`;
  return `${is}; see why: ${copyable(context, 'show', name)}`;
}
