import { reasonLine } from '../../../render/reason-line.ts';
import { tellingLine } from '../../../render/telling.ts';
import type { Task } from '../../../task/schema.ts';
import { withApp, type Context } from '../context.ts';
import { copyable } from '../copyable.ts';
import { nameOf } from '../name.ts';
import { andWhen } from '../resumes.ts';
import { visible } from '../visible.ts';
import { cut } from '../width.ts';

/**
 * Tasks that were named and that nobody worked on: who names one wants to know why. Where none was named and nothing ran,
 * those that stand still: they are the reason.
 */
export async function notRun(context: Context, ran: readonly Task[]): Promise<Task[]> {
  const named = new Set(context.args.operands);
  if (named.size === 0)
    return ran.length > 0 ? [] : (await withApp(context, (app) => app.list({ status: ['blocked'] }))).tasks;
  const done = new Set(ran.map(({ id }) => id));
  const { tasks } = await withApp(context, (app) => app.list({}));
  return tasks.filter((task) => !done.has(task.id) && (named.has(task.id) || named.has(nameOf(task))));
}

function heldLine({ kind, text, resumesAt }: Extract<Task, { status: 'blocked' }>['reason']): string {
  return cut(visible(andWhen(reasonLine(kind, tellingLine(text)), 'goes on', resumesAt)), 300);
}

/** What such a task is, and the command that would put it back. */
export function whyNot(task: Task, context: Context): string {
  const name = nameOf(task);
  const is = `${visible(name)} is ${task.status}`;
  if (task.status === 'done') return `${is}; to do it once more: ${copyable(context, 'requeue', name)}`;
  if (task.status === 'blocked') return `${is}: ${heldLine(task.reason)}`;
  if (task.status === 'canceled') return `${is}; to take it up again: ${copyable(context, 'retry', name)}`;
  return `${is}; see why: ${copyable(context, 'show', name)}`;
}
