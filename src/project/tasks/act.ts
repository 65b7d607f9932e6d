import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { iso } from '../../io/clock.ts';
import {
  refuse,
  type Act,
  type ActInput,
  type Changed,
  type NotForAll,
  type OpenProject,
} from '../../kinds/act.ts';
import type { FoundTask } from '../../kinds/kind.ts';
import type { FinishedWork } from '../../kinds/queue/finished.ts';
import { refused } from '../../kinds/refused.ts';
import { taskGates, type GateAnswer, type TaskGate } from '../../render/gates.ts';
import { assertPerson } from '../../settings/caller.ts';
import { maskWords } from '../../settings/masking.ts';
import { executeTogether } from '../../store/execute.ts';
import type { CommandOf } from '../../task/command.ts';
import type { KindName } from '../../task/kind-names.ts';
import type { Task, Trust } from '../../task/schema.ts';
import type { Status } from '../../task/status.ts';
import { findTask, finderIn, lookIn } from './find.ts';
import { kinds } from './kinds.ts';
import { verbsOf } from './verbs.ts';

export type Acted =
  | ({ ok: true; kind: KindName; id: string; name: string; was: Status } & Changed)
  | { ok: false; ref: string; error: DocketError };

/** Cancels tasks, or puts them back: each by itself, whatever its kind. A task that is refused stops no other. */
export async function actOn(
  project: OpenProject,
  act: Act,
  refs: readonly string[],
  given: ActInput & { of?: string },
): Promise<Acted[]> {
  const { of, ...words } = given;
  const input = await maskWords(project, words);
  const find = finderIn(project);
  const acted: Acted[] = [];
  const done = new Set<string>();
  for (const ref of new Set(refs)) {
    try {
      const found = await find(ref, of);
      const { kind, name, task } = found;
      if (task.removedAt !== undefined)
        throw refuse(task, name, 'it is deleted', fix`to bring it back: ${command`restore ${name}`}`);
      if (done.has(`${kind}:${task.id}`)) continue;
      done.add(`${kind}:${task.id}`);
      const changed = await (await verbsOf(kind)).act(project, found, act, input);
      acted.push({ ok: true, kind, id: task.id, name, was: task.status, ...changed });
    } catch (error) {
      // What is wrong with one of them; a store that cannot be written is wrong for all.
      if (!(error instanceof DocketError) || error.exitCode < 2 || error.exitCode > 5) throw error;
      if (error.code === 'NOT_FOUND') error.data['root'] ??= project.root;
      acted.push({ ok: false, ref, error });
    }
  }
  return acted;
}

/** The questions of one task, or of all. */
export async function gatesIn(project: OpenProject, ref?: string, of?: string): Promise<TaskGate[]> {
  if (ref !== undefined) return taskGates(await findTask(project, ref, of));
  const look = lookIn(project);
  return (await Promise.all(kinds.map((kind) => kind.all(look)))).flat().flatMap(taskGates);
}

export interface Answered {
  kind: KindName;
  name: string;
  task: Task;
}

export async function answerGate(
  project: OpenProject,
  ref: string,
  gate: string,
  { by, of, ...answer }: GateAnswer & { of?: string },
): Promise<Answered> {
  const found = await findTask(project, ref, of);
  const { kind, name, task } = found;
  const said: CommandOf<'answer'> & { id: string; by: string } = {
    type: 'answer',
    id: task.id,
    by,
    gate,
    ...(await maskWords(project, answer)),
  };
  const verbs = await verbsOf(kind);
  const done = await verbs.open(project, found, (store) =>
    executeTogether(
      store,
      task.id,
      (now) => [said, ...(verbs.withAnswer?.(now, said) ?? [])],
      iso(project.clock),
    ),
  );
  if (!done.ok) {
    const { code, message, data } = refused(done.refusal);
    throw new DocketError(code, message, fix`see what waits: ${command`gate list ${name}`}`, data);
  }
  await verbs.changed?.(project, done.task);
  return { kind, name, task: done.task };
}

export interface TrustInput {
  level: Trust['level'];
  by: string;
  of?: string;
}

/** A person vouches for a task, or takes that back. Only a person raises it: an agent or a chat has no way to say this. */
export async function setTrust(
  project: OpenProject,
  ref: string,
  { level, by, of }: TrustInput,
): Promise<Answered> {
  if (level === 'high') assertPerson(project.env, 'vouch for a task', { ref });
  const found = await findFor(project, 'trust', ref, of);
  const { kind, name } = found;
  const { id } = found.task;
  const verbs = await verbsOf(kind);
  const done = await verbs.open(project, found, async (store) => {
    const { source = 'person', author } = (await store.get(id))?.trust ?? {};
    const trust: Trust = { level, source, by, ...(author !== undefined && { author }) };
    return executeTogether(store, id, [{ type: 'edit', id, by, set: { trust } }], iso(project.clock));
  });
  if (!done.ok) throw refused(done.refusal, name);
  return { kind, name, task: done.task };
}

/** The task of a verb that only some kinds know; the others say what to do instead. */
async function findFor(project: OpenProject, verb: NotForAll, ref: string, of?: string): Promise<FoundTask> {
  if (verb !== 'diff') project.assertThere();
  const found = await findTask(project, ref, of);
  const { kind, name, task } = found;
  const no = (await verbsOf(kind)).cannot[verb]?.(name);
  if (!no) return found;
  const message = `docket ${verb} is not for ${name}: ${no.why}`;
  throw new DocketError('REFUSED', message, no.fix, { id: task.id, kind });
}

/** The ids of tasks of the queue for a verb that only the queue knows. */
export async function idsFor(
  project: OpenProject,
  verb: NotForAll,
  refs: readonly string[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const ref of refs) ids.push((await findFor(project, verb, ref)).task.id);
  return ids;
}

/** What is done with finished work, by the names of tasks of any kind: the kinds that have no part in it say why. */
export function finishedByName(project: OpenProject, work: FinishedWork): FinishedWork {
  const idOf = async (verb: NotForAll, ref: string): Promise<string> =>
    (await findFor(project, verb, ref)).task.id;
  return {
    ...work,
    diff: async (ref, form) => work.diff(await idOf('diff', ref), form),
    merge: async ({ tasks, ...input }) =>
      work.merge({ ...input, ...(tasks && { tasks: await idsFor(project, 'merge', tasks) }) }),
    pullRequest: async (ref, input) => work.pullRequest(await idOf('pr', ref), input),
    remove: async (refs, input) => work.remove(await idsFor(project, 'delete', refs), input),
    // Among tasks of one name the deleted one is meant, which only the queue knows.
    async restore(ref, dryRun) {
      try {
        return await work.restore(ref, dryRun);
      } catch (error) {
        if (!(error instanceof DocketError) || error.code !== 'NOT_FOUND') throw error;
        return work.restore(await idOf('restore', ref), dryRun);
      }
    },
  };
}

export { actionsFor } from '../../kinds/queue/actions.ts';
