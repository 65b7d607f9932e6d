import type { Command } from '../../task/command.ts';
import { failedDelivery } from '../../task/delivery.ts';
import type { Task } from '../../task/schema.ts';
import { trail } from '../../workflow/trail.ts';
import { assertCanGoBack, refuse, type Act, type ActInput } from '../act.ts';
import { isHeldByMerge } from './actions.ts';
import { notedOf, withNoted } from './format/noted.ts';
import { ownOf } from './format/record.ts';

/** What the act comes to, as commands on the task as it is; none: it is so already. Refuses with what to do instead. */
export function commandsFor(act: Act, task: Task, input: ActInput): Command[] {
  return act === 'cancel' ? cancel(task, input) : queueAgain(act, task, input);
}

function cancel(task: Task, { by, reason = 'canceled by a person' }: ActInput): Command[] {
  if (task.status === 'canceled') return [];
  if (task.status === 'done')
    throw refuse(
      task,
      ownOf(task).name,
      'it is done and cannot be canceled',
      `docket requeue ${task.id} puts it back`,
    );
  return [{ type: 'cancel', id: task.id, by, reason }];
}

/** The person has seen to it: what they said last time no longer counts, what they say now does. */
function queueAgain(act: 'retry' | 'requeue', task: Task, input: ActInput): Command[] {
  const { id } = task;
  const by = input.by;
  const reason = input.reason ?? `docket ${act}`;
  const { name } = ownOf(task);
  if (task.status === 'done' && act === 'retry' && failedDelivery(task))
    throw refuse(
      task,
      name,
      'it is done, and only its delivery failed: a retry delivers it again and calls no agent',
      `without options: docket retry ${id}; to do the work again: docket requeue ${id} --note TEXT`,
    );
  if (task.status === 'done' && act === 'retry')
    throw refuse(task, name, 'it is done', `to do it once more: docket requeue ${name} --note TEXT`);
  assertCanGoBack(task, name, act);
  if (task.status === 'queued') return isPlain(input) ? [] : [noting(task, input)];
  if (task.status === 'canceled')
    return [noting(task, input), { type: 'reopen', id, by, reason, steps: 'anew' }];
  return [noting(task, input), { type: task.status === 'done' ? 'reopen' : 'requeue', id, by, reason }];
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
