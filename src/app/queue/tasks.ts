import { DocketError } from '../../errors.ts';
import { iso } from '../../io/clock.ts';
import { callName, ownOf } from '../../layout/queue/record.ts';
import type { Backend } from '../../store/backend.ts';
import { execute } from '../../store/execute.ts';
import type { StoreView } from '../../store/reader.ts';
import { openAttempts } from '../../task/allowed.ts';
import type { Task } from '../../task/schema.ts';
import { flowBack } from '../bridge/flow-back.ts';
import { taskNamed } from '../ids.ts';
import { maskWords } from '../masking.ts';
import { refused } from '../refused.ts';
import type { Places } from '../run.ts';
import type { GateInfo } from '../task/api.ts';
import type { Act, Acted, ActInput, QueueTasks } from './api.ts';

export interface QueuePlaces extends Places {
  /** Reads without a lock. */
  read: () => Promise<StoreView>;
  /** Opens the store for writing, once. */
  open: () => Promise<Backend>;
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
      const done = await execute(
        store,
        { type: 'answer', id, by, gate, ...(await maskWords(places, answer)) },
        { now: iso(places.clock) },
      );
      if (done.ok) return done.task;
      const { code, message, data } = refused(done.refusal);
      throw new DocketError(code, message, `see what waits: docket gate list ${id}`, data);
    },
  };
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
    task: task.id,
    name,
    gate,
    title: task.title,
  }));
}

async function endLeft({ clock, dir }: QueuePlaces, store: Backend, id: string): Promise<void> {
  const [{ endStrays }, { endAttempts }] = await Promise.all([
    import('../../engine/strays.ts'),
    import('../../engine/end-attempts.ts'),
  ]);
  await endStrays({ store, clock }, dir, (task) => task.id === id);
  await endAttempts(store, id, { by: 'docket', now: iso(clock) });
}

async function actOn(
  places: QueuePlaces,
  act: Act,
  refs: readonly string[],
  input: ActInput,
): Promise<Acted[]> {
  const [{ commandsFor }, { executeTogether }] = await Promise.all([
    import('./act.ts'),
    import('../../store/execute-together.ts'),
  ]);
  const { tasks } = await places.read();
  const one = async (ref: string): Promise<Acted> => {
    const before = taskNamed(tasks, ref);
    const { id } = before;
    if (input.from !== undefined)
      await (await import('./known-names.ts')).assertStepOf(before, input.from, places);
    const about = { ok: true, id, name: ownOf(before).name, was: before.status } as const;
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
    if (done.events.length > 0) await flowBack(places, done.task);
    return { ...about, status: done.task.status, changed: done.events.length > 0 };
  };
  const acted: Acted[] = [];
  for (const ref of new Set(refs)) {
    try {
      acted.push(await one(ref));
    } catch (error) {
      // What is wrong with one of them; a store that cannot be written is wrong for all.
      if (!(error instanceof DocketError) || error.exitCode < 2 || error.exitCode > 5) throw error;
      acted.push({ ok: false, ref, error });
    }
  }
  return acted;
}
