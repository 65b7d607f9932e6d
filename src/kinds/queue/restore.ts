import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { exists } from '../../io/links.ts';
import { readConfig } from '../../settings/read-config.ts';
import type { Task } from '../../task/schema.ts';
import { branchesOf, commitOf, reserveBranch } from '../../workspace/branch.ts';
import { bringBack } from '../../workspace/recovery.ts';
import type { FinishedPlaces, Restored } from './finished.ts';
import { notedOf, ownOf } from './format/record.ts';
import { taskNamedFirst } from './ids.ts';
import { noteOn } from './note-on.ts';
import { prepareWorkspace } from './workspace.ts';

/** Brings back a task that was deleted, with its branch and, where it was kept, all that was in its workspace. */
export async function restoreTask(places: FinishedPlaces, ref: string, dryRun: boolean): Promise<Restored> {
  const { root, clock, env } = places;
  const store = await places.open();
  const task = deleted(await store.list({ removed: true }), ref);
  const noted = notedOf(task);
  const { branch, keptAs } = noted;
  const commit =
    keptAs === undefined ? await commitOf(root, noted.commit ?? 'none') : await commitOf(root, `${keptAs}^1`);
  if (keptAs !== undefined && commit === undefined)
    throw new DocketError('NOT_FOUND', `${keptAs} is gone`, 'look for it: git for-each-ref refs/docket', {
      ref: keptAs,
    });
  const wants = keptAs !== undefined && task.spec.workspace?.kind !== 'inplace';
  const told: Restored = {
    task,
    dryRun,
    ...(branch !== undefined && { branch }),
    ...(keptAs !== undefined && { from: keptAs }),
    ...(wants && noted.workspace !== undefined && { workspace: noted.workspace }),
  };
  if (branch !== undefined && commit !== undefined) await assertBranchFree(root, branch, commit);
  if (dryRun) return told;
  const on = { store, clock };
  const back = task.removedAt === undefined ? task : await noteOn(on, task.id, ...broughtBack(task));
  if (branch === undefined || commit === undefined) return { ...told, task: back };
  const isNew = !(await branchesOf(root)).commits.has(branch);
  await reserveBranch(root, task.id, { branch, commit, isNew });
  if (!wants || keptAs === undefined) return { ...told, task: back };
  const note = async (set: Parameters<typeof noteOn>[2]) => void (await noteOn(on, task.id, set));
  const { noted: made } = await prepareWorkspace(back, places, await readConfig(root, env), note);
  const { workspace } = made;
  if (workspace !== undefined) await bringBack(root, keptAs, workspace);
  const after = await noteOn(on, task.id, { ...made, keptAs: undefined });
  return { ...told, task: after, ...(workspace !== undefined && { workspace }) };
}

/** What waited waits again, for the same thing. A workspace that went with it is made anew when it is needed. */
function broughtBack(task: Task): [Parameters<typeof noteOn>[2], Parameters<typeof noteOn>[3]] {
  const reason = 'brought back by a person';
  const { workspace, keptAs, deletedFrom, deletedBlock } = notedOf(task);
  const waited = deletedFrom !== undefined && task.status === 'canceled';
  const isGone = workspace !== undefined && keptAs === undefined && !exists(workspace);
  return [
    {
      ...(deletedFrom !== undefined && { deletedFrom: undefined, deletedBlock: undefined }),
      ...(isGone && { workspace: undefined }),
    },
    [
      { type: 'restore', reason },
      ...(waited ? [{ type: 'reopen' as const, reason, steps: 'asked' as const }] : []),
      ...(waited && deletedBlock ? [{ type: 'block' as const, reason: deletedBlock }] : []),
    ],
  ];
}

/** Deleted, or there without its workspace. */
function deleted(tasks: readonly Task[], ref: string): Task {
  const gone = tasks.filter((task) => task.removedAt !== undefined || isBare(task));
  const task = taskNamedFirst(gone, tasks, ref);
  if (gone.includes(task)) return task;
  const message = `task ${ownOf(task).name} was not deleted, and nothing of it was kept elsewhere`;
  throw new DocketError(
    'REFUSED',
    message,
    fix`it is there as it is; look at it: ${command`show ${task.id}`}`,
    {
      id: task.id,
    },
  );
}

function isBare(task: Task): boolean {
  const { keptAs, workspace } = notedOf(task);
  return keptAs !== undefined && workspace !== undefined && !exists(workspace);
}

async function assertBranchFree(root: string, branch: string, commit: string): Promise<void> {
  const there = (await branchesOf(root)).commits.get(branch);
  if (there === undefined || there === commit) return;
  const message = `there is another branch "${branch}" now (${there.slice(0, 10)}, not ${commit.slice(0, 10)})`;
  throw new DocketError('REFUSED', message, `rename it first: git branch -m ${branch} <other>`, { branch });
}
