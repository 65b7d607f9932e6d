import { command, fix } from '../../errors/command.ts';
import { iso } from '../../io/clock.ts';
import { executeTogether } from '../../store/execute.ts';
import type { Store } from '../../store/store.ts';
import { openAttempts } from '../../task/allowed.ts';
import type { Command, CommandOf } from '../../task/command.ts';
import { type Delivery, failedDelivery } from '../../task/delivery.ts';
import { endsIt } from '../../task/rejected.ts';
import type { Task } from '../../task/schema.ts';
import { trail } from '../../workflow/next.ts';
import {
  type Act,
  type ActInput,
  assertCanGoBack,
  type Changed,
  type KindVerbs,
  type Left,
  type OpenProject,
  refuse,
} from '../act.ts';
import { flowBack } from '../bridges/flow-back.ts';
import type { FoundTask } from '../kind.ts';
import { refused } from '../refused.ts';
import { isHeldByMerge } from './actions.ts';
import { notedOf, ownOf, withNoted } from './format/record.ts';

export const queueVerbs: KindVerbs = {
  open: async (project, _, use) => use(await project.openQueue()),
  act: actOn,
  withAnswer: endedBy,
  async changed(project, task) {
    if (task.status === 'failed') await flowBack(project, task);
  },
  cannot: {},
};

async function actOn(
  project: OpenProject,
  { task: before, store: { dir } }: FoundTask,
  act: Act,
  input: ActInput,
): Promise<Changed> {
  const { id } = before;
  const places = { ...project, dir };
  if (input.from !== undefined)
    await (await import('./add-checks.ts')).assertStepOf(before, input.from, places);
  if (isDeliveryOnly(act, before, input)) {
    if (input.dryRun) return { status: 'done', changed: true, ...delivered(before) };
    const { deliverAgain } = await import('./publish.ts');
    const after = (await deliverAgain(id, await project.openQueue(), places, input.by)) ?? before;
    return { status: after.status, changed: true, ...delivered(after) };
  }
  if (input.dryRun) {
    const changed = commandsFor(act, before, input).length > 0;
    return { status: changed ? (act === 'cancel' ? 'canceled' : 'queued') : before.status, changed };
  }
  const store = await project.openQueue();
  const done = await executeTogether(store, id, (task) => commandsFor(act, task, input), iso(project.clock));
  if (!done.ok) throw refused(done.refusal, id);
  // The docket that runs it notices; where that has died, its agents may work on.
  if (act === 'cancel' && before.status !== 'running' && openAttempts(before).length > 0)
    await endLeft(places, store, id);
  const changed = done.events.length > 0;
  if (changed) await flowBack(project, done.task);
  const left = changed && act === 'cancel' ? await leftBy(places, before) : undefined;
  return { status: done.task.status, changed, ...(left && { left }) };
}

/** Its run came to an end with that no: who takes it up again begins that step anew. */
function endedBy(task: Task, { id, by, gate, decision }: CommandOf<'answer'>): Command[] {
  if (decision !== 'rejected' || !endsIt(task, gate)) return [];
  const ended = task.run?.gates[gate]?.step;
  return [{ type: 'edit', id, by, set: { extras: withNoted(task.extras, { ended }) } }];
}

type Places = OpenProject & { dir: string };

async function endLeft({ clock, dir }: Places, store: Store, id: string): Promise<void> {
  const [{ endStrays }, { endAttempts }] = await Promise.all([
    import('../../engine/leftover-attempts.ts'),
    import('../../engine/leftover-attempts.ts'),
  ]);
  await endStrays({ store, clock }, dir, (task) => task.id === id);
  await endAttempts(store, id, { by: 'docket', now: iso(clock) });
}

/** Of one that has a workspace of its own nothing is in people's tree. */
async function leftBy(places: Places, task: Task): Promise<Left | undefined> {
  if (task.run === undefined || notedOf(task).workspace !== undefined) return undefined;
  return (await import('./diff.ts')).leftInPlace(places, task);
}

function delivered({ delivery }: Task): { delivery?: Delivery } {
  return delivery ? { delivery } : {};
}

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
      fix`${command`requeue ${task.id}`} puts it back`,
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
      fix`without options: ${command`retry ${id}`}; to do the work again: ${command`requeue ${id} --note TEXT`}`,
    );
  if (task.status === 'done' && act === 'retry')
    throw refuse(task, name, 'it is done', fix`to do it once more: ${command`requeue ${name} --note TEXT`}`);
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
