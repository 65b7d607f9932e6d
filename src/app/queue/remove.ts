import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { notedOf } from '../../layout/queue/noted.ts';
import { ownOf } from '../../layout/queue/record.ts';
import { wishesOf } from '../../layout/queue/wishes.ts';
import type { Backend } from '../../store/backend.ts';
import type { Task } from '../../task/schema.ts';
import { commitOf } from '../../workspace/branch.ts';
import { isAncestor } from '../../workspace/merge.ts';
import { readMarker } from '../../workspace/prepare-marker.ts';
import { keepAll, keptRef } from '../../workspace/recovery.ts';
import { lossesOf, type Doomed, type Loss } from '../../workspace/remove-losses.ts';
import { removeGone, removeRefs, removeWorkspace } from '../../workspace/remove.ts';
import { taskNamed } from '../ids.ts';
import type { FinishedPlaces, Removed, RemoveInput } from './finished.ts';
import { noteOn } from './note-on.ts';

/**
 * Deletes a task: its record, its workspace and its branch, where nothing is lost by it. The record goes first, so that
 * nobody starts it meanwhile; a docket that dies then leaves what the next call completes.
 */
export async function removeTask(places: FinishedPlaces, ref: string, input: RemoveInput): Promise<Removed> {
  const { root, clock } = places;
  const store = await places.open();
  const task = taskToRemove(await store.list({ removed: true }), ref);
  await assertFree(store, task);
  const noted = notedOf(task);
  const { workspace, branch } = noted;
  const doomed = await doomedOf(root, task);
  const losses = await lossesOf(doomed);
  const kept = input.keepAs === undefined ? undefined : await keptRef(root, input.keepAs);
  refuse(task, kept === undefined ? losses : losses.filter(({ savable }) => !savable));
  const told: Removed = {
    task,
    dryRun: input.dryRun,
    ...(task.removedAt !== undefined && { already: true as const }),
    ...(workspace !== undefined && { workspace }),
    ...(branch !== undefined && { branch }),
    ...(kept !== undefined && { keptAs: kept }),
  };
  if (input.dryRun) return told;
  const plan = workspace === undefined ? undefined : readMarker(workspace, { root, id: task.id })?.plan;
  const on = { store, clock, by: input.by };
  if (kept !== undefined) {
    await keepAll(root, task.id, kept, plan);
    if (task.removedAt === undefined) await noteOn(on, task.id, { keptAs: kept });
  }
  const after = task.removedAt === undefined ? await noteOn(on, task.id, {}, endOf(task)) : task;
  // Somebody may have come in between.
  const late = await lossesOf(doomed);
  refuse(task, kept === undefined ? late : late.filter(({ savable }) => !savable), 'its record alone');
  if (plan) await removeWorkspace(root, task.id, plan);
  else if (workspace !== undefined) await removeGone(root, task.id, path.dirname(workspace), 'worktree');
  if (branch !== undefined)
    await removeRefs(root, task.id, { branch, keepBranch: wishesOf(task).branch === branch });
  return { ...told, task: after };
}

/** One that was removed may be named as well: what a call that was cut off left is then done. */
function taskToRemove(tasks: readonly Task[], ref: string): Task {
  const there = tasks.filter(({ removedAt }) => removedAt === undefined);
  const isThere = there.some((task) => task.id === ref || ownOf(task).name === ref);
  return taskNamed(isThere ? there : tasks, ref);
}

async function assertFree(store: Backend, task: Task): Promise<void> {
  const { name } = ownOf(task);
  if (task.status === 'running' || task.status === 'review')
    throw new DocketError(
      'REFUSED',
      `task ${name} is being worked on`,
      `end it first: docket cancel ${name}`,
      {
        id: task.id,
      },
    );
  const waiting = (await store.list({ status: ['queued', 'blocked'] })).find(({ needs }) =>
    needs.includes(task.id),
  );
  if (!waiting) return;
  const message = `task ${ownOf(waiting).name} waits for ${name}, and would wait for ever`;
  throw new DocketError('REFUSED', message, 'delete or cancel that one first', {
    id: task.id,
    waits: waiting.id,
  });
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

function refuse(task: Task, losses: readonly Loss[], gone?: string): void {
  if (losses.length === 0) return;
  const { name } = ownOf(task);
  const canBeKept = losses.every(({ savable }) => savable);
  throw new DocketError(
    'REFUSED',
    `task ${name} was not deleted${gone === undefined ? '' : `, ${gone} was`}: ${losses.map(({ text }) => text).join('; ')}`,
    canBeKept
      ? `merge it, or save everything first: docket delete ${name} --keep-as ${name}`
      : 'see to that first: nothing of it can be saved from here',
    { id: task.id, losses },
  );
}

function endOf(task: Task): Parameters<typeof noteOn>[3] {
  const reason = 'deleted by a person';
  const isOpen = task.status === 'queued' || task.status === 'blocked';
  return [...(isOpen ? [{ type: 'cancel' as const, reason }] : []), { type: 'remove', reason }];
}
