import path from 'node:path';
import { tearDown } from '../../engine/environment/commands.ts';
import { forgetEnvironment } from '../../engine/environment/record.ts';
import { type Use, useIfFree } from '../../engine/environment/use.ts';
import { DocketError } from '../../errors.ts';
import { command, fix, type Fix } from '../../errors/command.ts';
import { exists } from '../../io/links.ts';
import type { Config } from '../../settings/config.ts';
import { environmentKey, environmentOptions } from '../../settings/environment.ts';
import { readConfig } from '../../settings/read-config.ts';
import type { Store } from '../../store/store.ts';
import type { Task } from '../../task/schema.ts';
import { commitOf } from '../../workspace/branch.ts';
import { isAncestor } from '../../workspace/merge.ts';
import { keepAll, keptRef } from '../../workspace/recovery.ts';
import { type Doomed, type Loss, lossesOf } from '../../workspace/remove-losses.ts';
import { removeGone, removeRefs, removeWorkspace } from '../../workspace/remove.ts';
import { flowBack } from '../bridges/flow-back.ts';
import { actionsFor } from './actions.ts';
import type { FinishedPlaces, Removed, RemoveInput } from './finished.ts';
import { notedOf, ownOf, wishesOf, withNoted } from './format/record.ts';
import { taskNamedFirst } from './ids.ts';
import { noteOn } from './note-on.ts';
import { planOf } from './workspace.ts';

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
    throw new DocketError(error.code, message, error.advice, { ...error.data, deleted });
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

/** Nobody works on them, and nobody who stays waits for them. */
export async function assertFree(store: Store, tasks: readonly Task[]): Promise<void> {
  const going = new Set(tasks.map(({ id }) => id));
  const waiting = await store.list({ status: ['queued', 'blocked'] });
  const staying = waiting.filter(({ id }) => !going.has(id));
  for (const task of tasks) {
    const { id, status } = task;
    const { name } = ownOf(task);
    const no = (message: string, todo: string | Fix, data = {}) =>
      new DocketError('REFUSED', message, todo, { id, ...data });
    if (status === 'running' || status === 'review')
      throw no(`task ${name} is being worked on`, fix`end it first: ${command`cancel ${name}`}`);
    const waits = staying.find(({ needs }) => needs.includes(id));
    if (waits)
      throw no(
        `task ${ownOf(waits).name} waits for ${name}, and would wait for ever`,
        'delete or cancel that one first, or both at once',
        { waits: waits.id },
      );
  }
}

/** It may have been started, or ended, while others were deleted. */
export async function assertAsItWas(store: Store, { id, status, extras }: Task): Promise<void> {
  const now = (await store.get(id))?.status;
  if (now === status) return;
  const { name } = ownOf({ id, extras });
  throw new DocketError(
    'REFUSED',
    `task ${name} is ${now ?? 'gone'} by now`,
    fix`look at it: ${command`list`}`,
    {
      id,
    },
  );
}

/** `kept`: everything that can be saved is. `gone`: what cannot be called back any more. */
export async function assertNothingLost(
  root: string,
  task: Task,
  kept: string | undefined,
  gone?: string,
): Promise<void> {
  const all = await lossesIn(root, task);
  const losses = kept === undefined ? all : all.filter(({ savable }) => !savable);
  if (losses.length === 0) return;
  const { name } = ownOf(task);
  const canBeKept = losses.every(({ savable }) => savable);
  throw new DocketError(
    'REFUSED',
    `task ${name} was not deleted${gone === undefined ? '' : `, ${gone} was`}: ${losses.map(({ text }) => text).join('; ')}`,
    canBeKept
      ? fix`${mergeSaves(task, losses) ? 'merge it, or ' : ''}save it first: ${command`delete ${name} --keep-as ${name}`}`
      : 'see to that first: nothing of it can be saved from here',
    { id: task.id, losses },
  );
}

/** A merge also commits what was edited by hand. What is merged already is not offered again. */
export function mergeSaves(task: Task, losses: readonly Loss[]): boolean {
  return (
    losses.every(({ kind }) => kind === 'branch' || kind === 'uncommitted') &&
    actionsFor(task).includes('merge')
  );
}

/** What would be lost with its workspace and its branch. */
export async function lossesIn(root: string, task: Task): Promise<Loss[]> {
  return lossesOf(await doomedOf(root, task));
}

/** Squashed work is on its branch under another name: as long as that is there, nothing of it is lost. */
async function doomedOf(root: string, task: Task): Promise<Doomed> {
  const { workspace, branch, merged, commit } = notedOf(task);
  const isIn = merged !== undefined && (await commitOf(root, merged.into)) !== undefined;
  const squashed = isIn && (await isAncestor(root, merged.commit, merged.into)) ? commit : undefined;
  return {
    root,
    id: task.id,
    ...(workspace !== undefined && { place: workspace }),
    ...(branch !== undefined && { branch }),
    ...(squashed !== undefined && { squashed }),
  };
}

/** Takes a workspace away while nobody has it in use, after its teardown. What is noted about its setup goes with it. */
export async function takeAway<T>(
  { root, env }: Pick<FinishedPlaces, 'root' | 'env'>,
  config: Config,
  task: Task,
  remove: () => Promise<T>,
): Promise<T> {
  const { workspace } = notedOf(task);
  if (workspace === undefined) return remove();
  const use = taken(root, task);
  try {
    if (exists(workspace)) await toreDown({ root, env, config }, task, workspace);
    const done = await remove();
    if (!exists(workspace)) forgetEnvironment(root, environmentKey('queue', task.id));
    return done;
  } finally {
    use.release();
  }
}

/** Nobody has its workspace in use now. */
export function assertUnused(root: string, task: Task): void {
  taken(root, task).release();
}

function taken(root: string, task: Task): Use {
  const use = useIfFree(root, environmentKey('queue', task.id));
  if (use) return use;
  const message = `the workspace of ${ownOf(task).name} is in use: ${notedOf(task).workspace ?? ''}`;
  throw new DocketError('REFUSED', message, 'try again when nobody works on it', { id: task.id });
}

/** A failure stands in the way: what it was to end may still be running. */
async function toreDown(
  project: Parameters<typeof environmentOptions>[0],
  task: Task,
  workspace: string,
): Promise<void> {
  const options = environmentOptions(project, {
    layout: 'queue',
    id: task.id,
    task,
    cwd: () => workspace,
    goOn: '',
    tell: () => undefined,
    workspace: { place: workspace, id: task.id },
  });
  const problem = options && (await tearDown(options, new AbortController().signal));
  if (problem === undefined) return;
  throw new DocketError(
    'REFUSED',
    `the workspace of ${ownOf(task).name} stays: ${problem}`,
    'mend setup.teardown, or take it out, and try again',
    { id: task.id, workspace },
  );
}
