import { DocketError } from '../../errors.ts';
import type { Store } from '../../store/store.ts';
import type { Task } from '../../task/schema.ts';
import { commitOf } from '../../workspace/branch.ts';
import { isAncestor } from '../../workspace/merge.ts';
import { lossesOf, type Doomed, type Loss } from '../../workspace/remove-losses.ts';
import { actionsFor } from './actions.ts';
import { notedOf } from './format/noted.ts';
import { ownOf } from './format/record.ts';

/** Nobody works on them, and nobody who stays waits for them. */
export async function assertFree(store: Store, tasks: readonly Task[]): Promise<void> {
  const going = new Set(tasks.map(({ id }) => id));
  const waiting = await store.list({ status: ['queued', 'blocked'] });
  const staying = waiting.filter(({ id }) => !going.has(id));
  for (const task of tasks) {
    const { id, status } = task;
    const { name } = ownOf(task);
    const no = (message: string, fix: string, data = {}) =>
      new DocketError('REFUSED', message, fix, { id, ...data });
    if (status === 'running' || status === 'review')
      throw no(`task ${name} is being worked on`, `end it first: docket cancel ${name}`);
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
  throw new DocketError('REFUSED', `task ${name} is ${now ?? 'gone'} by now`, 'look at it: docket list', {
    id,
  });
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
      ? `${mergeSaves(task, losses) ? 'merge it, or ' : ''}save it first: docket delete ${name} --keep-as ${name}`
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
