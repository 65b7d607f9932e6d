import { iso } from '../../io/clock.ts';
import { executeTogether } from '../../store/execute.ts';
import type { Store } from '../../store/store.ts';
import { openAttempts } from '../../task/allowed.ts';
import type { Command, CommandOf } from '../../task/command.ts';
import type { Delivery } from '../../task/delivery.ts';
import { endsIt } from '../../task/rejected.ts';
import type { Task } from '../../task/schema.ts';
import type { Act, ActInput, Changed, KindVerbs, Left, OpenProject } from '../act.ts';
import { flowBack } from '../bridges/flow-back.ts';
import type { FoundTask } from '../kind.ts';
import { refused } from '../refused.ts';
import { commandsFor, isDeliveryOnly } from './act.ts';
import { notedOf, withNoted } from './format/noted.ts';

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
    await (await import('./known-names.ts')).assertStepOf(before, input.from, places);
  if (isDeliveryOnly(act, before, input)) {
    if (input.dryRun) return { status: 'done', changed: true, ...delivered(before) };
    const { deliverAgain } = await import('./deliver-again.ts');
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
  return (await import('./left-in-place.ts')).leftInPlace(places, task);
}

function delivered({ delivery }: Task): { delivery?: Delivery } {
  return delivery ? { delivery } : {};
}
