import { DocketError } from '../../../errors.ts';
import { deliveryLine } from '../../../render/delivery.ts';
import { reasonLine } from '../../../render/reason-line.ts';
import { tellingLine } from '../../../render/telling.ts';
import { isLost, namedNeed, needsText } from '../../../render/unmet.ts';
import type { NamedNeed } from '../../../task/needs.ts';
import type { Task } from '../../../task/schema.ts';
import { withApp, type Context } from '../context.ts';
import { copyable } from '../copyable.ts';
import { nameOf } from '../name.ts';
import { andWhen } from '../resumes.ts';
import { visible } from '../visible.ts';
import { cut } from '../width.ts';

/** A task that nobody worked on, and what must be done before it. */
export interface Left {
  task: Task;
  waits: readonly NamedNeed[];
}

/**
 * Tasks that were named and that nobody worked on: who names one wants to know why. Where none was named and nothing ran,
 * those that stand still: they are the reason.
 */
export async function notRun(context: Context, ran: readonly Task[]): Promise<Left[]> {
  const named = new Set(context.args.operands);
  if (named.size === 0 && ran.length > 0) return [];
  const { tasks, waits } = await withApp(context, (app) => app.list({}));
  const names = new Map(tasks.map((task) => [task.id, nameOf(task)]));
  const left = tasks.map((task): Left => {
    const unmet = waits[task.id] ?? [];
    return { task, waits: unmet.map((need) => namedNeed(need, (id) => names.get(id))) };
  });
  if (named.size === 0) return left.filter(standsStill);
  const done = new Set(ran.map(({ id }) => id));
  return left.filter(({ task }) => !done.has(task.id) && (named.has(task.id) || named.has(nameOf(task))));
}

function standsStill({ task, waits }: Left): boolean {
  const isLeft = task.status === 'blocked' || deliveryLine(task) !== undefined;
  return isLeft || (task.status === 'queued' && waits.some(isLost));
}

/** What it means for who waits for the run: 5 a person must act, 75 later, 4 somebody else has it, or has given it up. */
export function codeOf({ task, waits }: Left): 0 | 4 | 5 | 75 {
  switch (task.status) {
    case 'blocked':
      return task.reason.who === 'docket' ? 75 : 5;
    case 'queued':
      return waits.some((need) => isLost(need) || need.status === 'blocked') ? 5 : 75;
    case 'running':
    case 'review':
    case 'canceled':
      return 4;
    case 'done':
      return deliveryLine(task) === undefined ? 0 : 5;
    default:
      return 0;
  }
}

function heldLine({ kind, text, resumesAt }: Extract<Task, { status: 'blocked' }>['reason']): string {
  return cut(visible(andWhen(reasonLine(kind, tellingLine(text)), 'goes on', resumesAt)), 300);
}

/** What such a task is, and the command that would put it back. */
export function whyNot({ task, waits }: Left, context: Context): string {
  const name = nameOf(task);
  const is = `${visible(name)} is ${task.status}`;
  switch (task.status) {
    case 'done': {
      const undelivered = deliveryLine(task);
      if (undelivered !== undefined)
        return `${is}, ${visible(undelivered)}; to deliver it again: ${copyable(context, 'retry', name)}`;
      return `${is}; to do it once more: ${copyable(context, 'requeue', name)}`;
    }
    case 'blocked':
      return `${is}: ${heldLine(task.reason)}`;
    case 'canceled':
      return `${is}; to take it up again: ${copyable(context, 'retry', name)}`;
    case 'running':
    case 'review':
      return `${is}: ${holderOf(task)} since ${task.startedAt}; see it work: ${copyable(context, 'logs', name, '--follow')}`;
    case 'queued':
      return `${is}${waits.length === 0 ? '' : `: it waits for ${cut(visible(needsText(waits)), 300)}`}; see why, and what helps: ${copyable(context, 'explain', name)}`;
    default:
      return `${is}; see why: ${copyable(context, 'show', name)}`;
  }
}

function holderOf({ owner, lease }: Extract<Task, { status: 'running' | 'review' }>): string {
  const process = lease?.kind === 'process' ? ` (process ${lease.pid} on ${lease.host.split(' ')[0]})` : '';
  return visible(`${owner}${process} has it`);
}

/** What could not even be begun: a person mends it, or it is tried later. */
export function codeOfFault(fault: unknown): number {
  const code = fault instanceof DocketError ? fault.exitCode : 1;
  return code === 1 || code === 75 ? code : 5;
}
