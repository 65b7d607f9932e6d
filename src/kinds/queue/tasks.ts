import { flowBack } from '../../app/bridge/flow-back.ts';
import { taskNamed } from '../../app/ids.ts';
import { maskWords } from '../../app/masking.ts';
import { refused } from '../../app/refused.ts';
import type { Places } from '../../app/run.ts';
import { DocketError } from '../../errors.ts';
import { iso } from '../../io/clock.ts';
import { askedAt } from '../../render/asked.ts';
import { executeTogether } from '../../store/execute-together.ts';
import type { Store } from '../../store/store.ts';
import type { StoreView } from '../../store/view.ts';
import { openAttempts } from '../../task/allowed.ts';
import type { Command, CommandOf } from '../../task/command.ts';
import type { Delivery } from '../../task/delivery.ts';
import { endsIt } from '../../task/rejected.ts';
import type { Task } from '../../task/schema.ts';
import type { GateInfo } from '../gates.ts';
import type { Act, Acted, ActInput, Left, QueueTasks } from './api.ts';
import { notedOf, withNoted } from './format/noted.ts';
import { callName, ownOf } from './format/record.ts';

export interface QueuePlaces extends Places {
  /** Reads without a lock. */
  read: () => Promise<StoreView>;
  /** Opens the store for writing, once. */
  open: () => Promise<Store>;
}

/** What shows or decides is loaded by the command that does. */
export function queueTasks(places: QueuePlaces): QueueTasks {
  const { read } = places;
  return {
    async show(ref) {
      const view = await read();
      const { detailsOf } = await import('./show.ts');
      return detailsOf(taskNamed(view.tasks, ref), view, places);
    },
    act: async (act, refs, input) => actOn(places, act, refs, await maskWords(places, input)),
    async gates(ref) {
      if (ref === undefined) return (await read()).tasks.flatMap(gatesOf);
      const task = await namedOrNone(places, ref);
      return task && gatesOf(task);
    },
    async answer(ref, gate, { by, ...answer }) {
      const found = await namedOrNone(places, ref);
      if (!found) return undefined;
      const { id } = found;
      const store = await places.open();
      const said = { type: 'answer' as const, id, by, gate, ...(await maskWords(places, answer)) };
      const commands = (task: Task) => [said, ...endedBy(task, said)];
      const done = await executeTogether(store, id, commands, iso(places.clock));
      if (done.ok && done.task.status === 'failed') await flowBack(places, done.task);
      if (done.ok) return done.task;
      const { code, message, data } = refused(done.refusal);
      throw new DocketError(code, message, `see what waits: docket gate list ${id}`, data);
    },
  };
}

/** Its run came to an end with that no: who takes it up again begins that step anew. */
function endedBy(task: Task, { id, by, gate, decision }: CommandOf<'answer'>): Command[] {
  if (decision !== 'rejected' || !endsIt(task, gate)) return [];
  const ended = task.run?.gates[gate]?.step;
  return [{ type: 'edit', id, by, set: { extras: withNoted(task.extras, { ended }) } }];
}

async function namedOrNone({ read }: QueuePlaces, ref: string): Promise<Task | undefined> {
  const { tasks } = await read();
  return tasks.some((task) => task.id === ref || ownOf(task).name === ref)
    ? taskNamed(tasks, ref)
    : undefined;
}

function gatesOf(task: Task): GateInfo[] {
  const name = callName(task);
  return Object.entries(task.run?.gates ?? {}).map(([gate, facts]) => ({
    ...facts,
    ...askedAt(task.run, facts),
    task: task.id,
    name,
    gate,
    title: task.title,
  }));
}

async function otherwise(places: QueuePlaces, act: Act, error: unknown): Promise<unknown> {
  const { elsewhere } = await import('../../app/elsewhere.ts');
  return elsewhere({ ...places, warn: () => undefined }, act, error);
}

async function endLeft({ clock, dir }: QueuePlaces, store: Store, id: string): Promise<void> {
  const [{ endStrays }, { endAttempts }] = await Promise.all([
    import('../../engine/strays.ts'),
    import('../../engine/end-attempts.ts'),
  ]);
  await endStrays({ store, clock }, dir, (task) => task.id === id);
  await endAttempts(store, id, { by: 'docket', now: iso(clock) });
}

/** Of one that has a workspace of its own nothing is in people's tree. */
async function leftBy(places: QueuePlaces, task: Task): Promise<Left | undefined> {
  if (task.run === undefined || notedOf(task).workspace !== undefined) return undefined;
  return (await import('./left-in-place.ts')).leftInPlace(places, task);
}

function delivered({ delivery }: Task): { delivery?: Delivery } {
  return delivery ? { delivery } : {};
}

async function actOn(
  places: QueuePlaces,
  act: Act,
  refs: readonly string[],
  input: ActInput,
): Promise<Acted[]> {
  const { commandsFor, isDeliveryOnly } = await import('./act.ts');
  const { tasks } = await places.read();
  const one = async (ref: string): Promise<Acted> => {
    const before = taskNamed(tasks, ref);
    const { id } = before;
    if (input.from !== undefined)
      await (await import('./known-names.ts')).assertStepOf(before, input.from, places);
    const about = { ok: true, id, name: ownOf(before).name, was: before.status } as const;
    if (isDeliveryOnly(act, before, input)) {
      if (input.dryRun) return { ...about, status: 'done', changed: true, ...delivered(before) };
      const { deliverAgain } = await import('./deliver-again.ts');
      const after = (await deliverAgain(id, await places.open(), places, input.by)) ?? before;
      return { ...about, status: after.status, changed: true, ...delivered(after) };
    }
    if (input.dryRun) {
      const changed = commandsFor(act, before, input).length > 0;
      const status = changed ? (act === 'cancel' ? 'canceled' : 'queued') : before.status;
      return { ...about, status, changed };
    }
    const store = await places.open();
    const done = await executeTogether(store, id, (task) => commandsFor(act, task, input), iso(places.clock));
    if (!done.ok) throw refused(done.refusal, id);
    // The docket that runs it notices; where that has died, its agents may work on.
    if (act === 'cancel' && before.status !== 'running' && openAttempts(before).length > 0)
      await endLeft(places, store, id);
    const changed = done.events.length > 0;
    if (changed) await flowBack(places, done.task);
    const left = changed && act === 'cancel' ? await leftBy(places, before) : undefined;
    return { ...about, status: done.task.status, changed, ...(left && { left }) };
  };
  const acted: Acted[] = [];
  for (const ref of new Set(refs)) {
    try {
      acted.push(await one(ref));
    } catch (fault) {
      const error = await otherwise(places, act, fault);
      // What is wrong with one of them; a store that cannot be written is wrong for all.
      if (!(error instanceof DocketError) || error.exitCode < 2 || error.exitCode > 5) throw error;
      if (error.code === 'NOT_FOUND') error.data['root'] ??= places.root;
      acted.push({ ok: false, ref, error });
    }
  }
  return acted;
}
