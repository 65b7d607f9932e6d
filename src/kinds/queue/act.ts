import { DocketError } from '../../errors.ts';
import type { Command } from '../../task/command.ts';
import type { Task } from '../../task/schema.ts';
import { failedDelivery } from '../../task/undelivered.ts';
import { trail } from '../../workflow/trail.ts';
import { isHeldByMerge, waitingGates } from './actions.ts';
import type { Act, ActInput } from './api.ts';
import { notedOf, withNoted } from './format/noted.ts';
import { ownOf } from './format/record.ts';

/** What the act comes to, as commands on the task as it is; none: it is so already. Refuses with what to do instead. */
export function commandsFor(act: Act, task: Task, input: ActInput): Command[] {
  return act === 'cancel' ? cancel(task, input) : queueAgain(act, task, input);
}

function cancel(task: Task, { by, reason = 'canceled by a person' }: ActInput): Command[] {
  if (task.status === 'canceled') return [];
  if (task.status === 'done')
    throw no(task, 'it is done and cannot be canceled', `docket requeue ${task.id} puts it back`);
  return [{ type: 'cancel', id: task.id, by, reason }];
}

/** The person has seen to it: what they said last time no longer counts, what they say now does. */
function queueAgain(act: 'retry' | 'requeue', task: Task, input: ActInput): Command[] {
  const { id } = task;
  const by = input.by;
  const reason = input.reason ?? `docket ${act}`;
  const gates = waitingGates(task);
  switch (task.status) {
    case 'running':
    case 'review':
      throw no(task, `it is ${task.status} (${holderOf(task)})`, `end it first: docket cancel ${id}`);
    case 'done':
      if (act === 'retry' && failedDelivery(task))
        throw no(
          task,
          'it is done, and only its delivery failed: a retry delivers it again and calls no agent',
          `without options: docket retry ${id}; to do the work again: docket requeue ${id} --note TEXT`,
        );
      if (act === 'retry')
        throw no(task, 'it is done', `to do it once more: docket requeue ${id} --note TEXT`);
      return [noting(task, input), { type: 'reopen', id, by, reason }];
    case 'canceled':
      return [noting(task, input), { type: 'reopen', id, by, reason, steps: 'anew' }];
    case 'queued':
      return isPlain(input) ? [] : [noting(task, input)];
    case 'blocked':
      if (gates.length > 0)
        throw no(task, `it waits at ${gates.join(', ')}`, `answer first: docket gate list ${id}`);
      return [noting(task, input), { type: 'requeue', id, by, reason }];
    case 'failed':
      return [noting(task, input), { type: 'requeue', id, by, reason }];
  }
}

/** Only its delivery is retried: its work is proved, and no agent is called. */
export function isDeliveryOnly(act: Act, task: Task, input: ActInput): boolean {
  return act === 'retry' && failedDelivery(task) !== undefined && isPlain(input);
}

function isPlain({ from, note, moreSteps, budget }: ActInput): boolean {
  return from === undefined && note === undefined && moreSteps === undefined && budget === undefined;
}

function noting(task: Task, { by, from, note, moreSteps, budget }: ActInput): Command {
  const taken = task.run ? trail(task.run).length : 0;
  const maxSteps = moreSteps === undefined ? notedOf(task).maxSteps : taken + moreSteps;
  const told = [toldByMerge(task), note].filter((text) => text !== undefined).join('\n\n');
  const notes = { from, note: told === '' ? undefined : told, maxSteps, deliveryError: undefined };
  const extras = withNoted(task.extras, notes);
  const spec = budget && { ...task.spec, budget: { ...task.spec.budget, ...budget } };
  return { type: 'edit', id: task.id, by, set: { extras, ...(spec && { spec }) } };
}

/** Why its work could not be merged is docket's own note: it counts, whatever the person says beside it. */
function toldByMerge(task: Task): string | undefined {
  return isHeldByMerge(task) ? notedOf(task).note : undefined;
}

function holderOf(task: Task): string {
  const lease = 'lease' in task ? task.lease : undefined;
  return lease?.kind === 'process'
    ? `by process ${lease.pid} on ${lease.host.split(' ')[0]}`
    : `by ${task.owner ?? 'somebody'}`;
}

function no(task: Task, why: string, fix: string): DocketError {
  const { name } = ownOf(task);
  return new DocketError('REFUSED', `task ${name}: ${why}`, fix, { id: task.id, name, status: task.status });
}
