import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { readConfig } from '../../settings/read-config.ts';
import type { Store } from '../../store/store.ts';
import type { Task } from '../../task/schema.ts';
import { keepAll, keptRef } from '../../workspace/recovery.ts';
import { removeGone, removeRefs, removeWorkspace } from '../../workspace/remove.ts';
import { flowBack } from '../bridges/flow-back.ts';
import type { FinishedPlaces, Removed, RemoveInput } from './finished.ts';
import { notedOf, withNoted } from './format/noted.ts';
import { ownOf } from './format/record.ts';
import { wishesOf } from './format/wishes.ts';
import { takeAway } from './free-workspace.ts';
import { taskNamedFirst } from './ids.ts';
import { noteOn } from './note-on.ts';
import { planOf } from './plan-of.ts';
import { assertAsItWas, assertFree, assertNothingLost } from './remove-check.ts';

/**
 * Deletes tasks: their records, workspaces and branches, where nothing is lost by it. All are looked at before the first
 * one goes.
 */
export async function removeTasks(
  places: FinishedPlaces,
  refs: readonly string[],
  input: RemoveInput,
): Promise<Removed[]> {
  const store = await places.open();
  const tasks = await store.list({ removed: true });
  const wanted = [...new Set(refs.map((ref) => taskToRemove(tasks, ref)))];
  if (input.keepAs !== undefined && wanted.length > 1)
    throw new DocketError(
      'INVALID',
      `--keep-as ${input.keepAs} is the name for one task, and ${wanted.length} are to be deleted`,
      'delete them one by one, each with a --keep-as of its own',
      {},
    );
  await assertFree(store, wanted);
  const told: Removed[] = [];
  for (const task of wanted) told.push(await lookedAt(places.root, task, input));
  if (input.dryRun) return told;
  const config = await readConfig(places.root, places.env);
  const done: Removed[] = [];
  for (const one of told) {
    const remove = () => removed(places, store, one, input);
    done.push(await takeAway(places, config, one.task, remove).catch(after(done)));
  }
  return done;
}

/** What would go, if nothing is lost by it. */
async function lookedAt(root: string, task: Task, { keepAs, dryRun }: RemoveInput): Promise<Removed> {
  const { workspace, branch } = notedOf(task);
  const kept = keepAs === undefined ? undefined : await keptRef(root, keepAs);
  await assertNothingLost(root, task, kept);
  return {
    task,
    dryRun,
    ...(task.removedAt !== undefined && { already: true as const }),
    ...(workspace !== undefined && { workspace }),
    ...(branch !== undefined && { branch }),
    ...(kept !== undefined && { keptAs: kept }),
  };
}

/** The record goes first, so that nobody starts it meanwhile; a docket that dies then leaves what the next call completes. */
async function removed(
  places: FinishedPlaces,
  store: Store,
  told: Removed,
  { by }: RemoveInput,
): Promise<Removed> {
  const { root, clock } = places;
  const { task, workspace, branch, keptAs: kept } = told;
  await assertAsItWas(store, task);
  const plan = planOf(root, task);
  const on = { store, clock, by };
  if (kept !== undefined) {
    await keepAll(root, task.id, kept, plan);
    if (task.removedAt === undefined) await noteOn(on, task.id, { keptAs: kept });
  }
  const gone = task.removedAt === undefined ? await noteOn(on, task.id, {}, endOf(task, kept)) : task;
  await flowBack(places, gone);
  // Somebody may have come in between.
  await assertNothingLost(root, task, kept, 'its record alone');
  if (plan) await removeWorkspace(root, task.id, plan);
  else if (workspace !== undefined) await removeGone(root, task.id, path.dirname(workspace), 'worktree');
  if (branch !== undefined)
    await removeRefs(root, task.id, { branch, keepBranch: wishesOf(task).branch === branch });
  return { ...told, task: gone };
}

/** Whoever asked for many has to hear which of them are gone. */
function after(done: readonly Removed[]): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof DocketError) || done.length === 0) throw error;
    const deleted = done.map(({ task }) => ownOf(task).name);
    const message = `${error.message}; deleted before it: ${deleted.join(', ')}`;
    throw new DocketError(error.code, message, error.fix, { ...error.data, deleted });
  };
}

/** One that was removed may be named as well: what a call that was cut off left is then done. */
function taskToRemove(tasks: readonly Task[], ref: string): Task {
  const there = tasks.filter(({ removedAt }) => removedAt === undefined);
  return taskNamedFirst(there, tasks, ref);
}

/** One that waited comes back as such: that is noted with its end. */
function endOf(task: Task, keptAs: string | undefined): Parameters<typeof noteOn>[3] {
  const { status, extras } = task;
  const reason = 'deleted by a person';
  const noted = withNoted(extras, {
    deletedFrom: status,
    ...(status === 'blocked' && { deletedBlock: task.reason }),
    ...(keptAs !== undefined && { keptAs }),
  });
  const waits = status === 'queued' || status === 'blocked';
  return [
    ...(waits
      ? ([
          { type: 'edit', set: { extras: noted } },
          { type: 'cancel', reason },
        ] as const)
      : []),
    { type: 'remove', reason },
  ];
}
