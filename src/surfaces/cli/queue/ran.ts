import { DocketError } from '../../../errors.ts';
import type { Docket } from '../../../project/docket.ts';
import { nextOf } from '../../../project/tasks/next.ts';
import { needsOfView } from '../../../project/view/needs.ts';
import type { Item } from '../../../project/view/types.ts';
import { deliveryLine } from '../../../render/delivery.ts';
import { reasonLine } from '../../../render/reason-line.ts';
import { tellingLine } from '../../../render/telling.ts';
import { isLost, namedNeed, needsText, unprovedText } from '../../../render/unmet.ts';
import type { NamedNeed } from '../../../task/needs.ts';
import type { Task } from '../../../task/schema.ts';
import { type Context, withDocket } from '../frame/context.ts';
import { copyable } from '../frame/copyable.ts';
import { tokensText } from '../frame/format.ts';
import { nameOf } from '../frame/name.ts';
import { andWhen } from '../frame/resumes.ts';
import type { Color, Paint } from '../frame/style.ts';
import { cut, visible } from '../frame/visible.ts';

type Ran = Awaited<ReturnType<Docket['run']>>[number];

const colors: Partial<Record<Ran['task']['status'], Color>> = {
  done: 'green',
  failed: 'red',
  blocked: 'yellow',
};

/** One task after a run: what became of it, by whom, for how much, and the sentence that matters. */
export function ranRow({ task, agent, attempt, unseen = [] }: Ran, paint: Paint): string {
  const undelivered = deliveryLine(task);
  const color = undelivered === undefined ? colors[task.status] : 'yellow';
  const status = paint(color ?? 'plain', task.status.padEnd(8));
  // Nobody was called: then there is nobody to name, and nothing was spent.
  const facts = attempt
    ? [`by ${visible(agent)}`, `attempt ${attempt.n}`, tokensText(attempt.end?.usage)]
    : [];
  const head = `${status} ${visible(nameOf(task))}  ${paint('dim', facts.join(', '))}`.trimEnd();
  const said = saidOf(task);
  const lines = said === '' ? [] : [cut(visible(tellingLine(said)), 300)];
  if (undelivered !== undefined) lines.push(paint('yellow', cut(visible(undelivered), 300)));
  if (unseen.length > 0) lines.push(paint('yellow', `but ${unseen.join(', and ')}`));
  return [head, ...lines.map((line) => `         ${line}`)].join('\n');
}

function saidOf(task: Ran['task']): string {
  if (task.status === 'done') return task.unproved ? unprovedText : task.summary;
  if (task.status === 'failed') return task.failure.error;
  if (task.status !== 'blocked') return '';
  const { kind, text, resumesAt } = task.reason;
  return andWhen(reasonLine(kind, text), 'resumes', resumesAt);
}

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
  const { tasks, waits } = await withDocket(context, (docket) => docket.list({}));
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

/** What only a person can do in task directories, packets and on the board. */
export async function needsElsewhere(context: Context): Promise<Item[]> {
  const view = await withDocket(context, async (docket) => (await docket.view()).look());
  return needsOfView(view).filter(({ layout }) => nextOf(layout).run.includes('--all'));
}

/** What holds it, and the command that goes on with it. */
export function elsewhereLine({ layout, name, why, next }: Item, context: Context): string {
  const then = next ? `; then: ${copyable(context, ...next.words)}` : '';
  return `${layout} ${visible(name)}: ${cut(visible(why.text), 300)}${then}`;
}
