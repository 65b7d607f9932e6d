import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import type { Config } from '../../settings/config.ts';
import { readConfig } from '../../settings/read-config.ts';
import { needsWorkTree } from '../../task/pick.ts';
import type { Task } from '../../task/schema.ts';
import { branchesOf, commitOf, ownRef } from '../../workspace/branch.ts';
import { bringHome } from '../../workspace/integrate.ts';
import { removeTrialLeftovers } from '../../workspace/merge-trial.ts';
import { sourceOf } from '../../workspace/place.ts';
import { isCommitted } from './actions.ts';
import type { FinishedPlaces, MergedTask, MergeInput } from './finished.ts';
import { notedOf, ownOf } from './format/record.ts';
import { assertProved, commitEdits, editsIn, failuresOn, withMergeLock } from './hand-edits.ts';
import { taskNamed } from './ids.ts';
import { mergeInOrder } from './merge-queue.ts';
import { settled } from './merge-settle.ts';
import { planOf } from './workspace.ts';

/** Brings finished work onto a branch. Only one docket does so at a time. */
export async function mergeTasks(places: FinishedPlaces, input: MergeInput): Promise<MergedTask[]> {
  const { root, dir, env } = places;
  const [store, config] = [await places.open(), await readConfig(root, env)];
  return withMergeLock(dir, config, async () => {
    const tasks = await store.list();
    const wanted = input.tasks ? input.tasks.map((ref) => mergeable(taskNamed(tasks, ref))) : waiting(tasks);
    const { current } = await branchesOf(root);
    // Git cannot fetch beside them.
    if (!input.dryRun) removeTrialLeftovers((await sourceOf(root)).common, dir);
    const lines = new Map<string, Task[]>();
    for (const task of wanted) {
      const into = input.into ?? notedOf(task).base ?? config.baseBranch ?? current;
      if (into === undefined)
        throw new DocketError('USAGE', 'HEAD is on no branch', 'say where it goes: --into BRANCH');
      lines.set(into, [...(lines.get(into) ?? []), task]);
    }
    const results: MergedTask[] = [];
    for (const [into, group] of lines) {
      if (!input.dryRun) await assertNobodyInPlace(root, into, tasks);
      await mergeInOrder(group, {
        root,
        resolve: (task) => resolved(root, task, config, input.dryRun ?? false),
        into,
        squash: input.squash ?? false,
        dryRun: input.dryRun ?? false,
        commands: config.acceptance ?? [],
        test: (commit, commands, tested) =>
          failuresOn(commit, commands, { root, dir, env, tasks: tested, signal: input.signal }),
        tell: (text) => input.onProgress?.(text),
        ended: async (candidate, outcome) => {
          results.push(await settled(candidate, outcome, { into, input, places, store }));
        },
      });
    }
    return results;
  });
}

/** All that is finished and not merged, in the order in which it was finished. */
function waiting(tasks: readonly Task[]): Task[] {
  const finishedAt = (task: Task) => ('finishedAt' in task ? task.finishedAt : task.updatedAt);
  return tasks
    .filter((task) => task.status === 'done' && notedOf(task).commit !== undefined && !notedOf(task).merged)
    .toSorted((a, b) => (finishedAt(a) < finishedAt(b) ? -1 : 1));
}

/** What a merge has blocked may be merged again: somebody may have mended its branch. What is held otherwise is not proved. */
function mergeable(task: Task): Task {
  const { name } = ownOf(task);
  const data = { id: task.id, status: task.status };
  if (!isHeldUncommitted(task)) assertProved(task);
  if (isCommitted(task)) return task;
  const { workspace, branch } = notedOf(task);
  if (workspace !== undefined)
    throw new DocketError(
      'REFUSED',
      `task ${name} was held before its work was committed: there is nothing to merge yet`,
      fix`settle what holds it in ${workspace}${branch === undefined ? '' : ` (git switch ${branch})`}, then: ${command`retry ${name}`}`,
      data,
    );
  const todo = 'what it did is in your work tree: commit it there';
  throw new DocketError(
    'REFUSED',
    `task ${name} was worked on in place: it has no branch to merge`,
    todo,
    data,
  );
}

/** Its run was held for what is in its workspace, and nothing of it is on a branch. */
function isHeldUncommitted(task: Task): boolean {
  const isKind =
    task.status === 'blocked' && (task.reason.kind === 'conflict' || task.reason.kind === 'verify');
  return isKind && !isCommitted(task);
}

/** What `docket diff` shows is what lands: edits by hand are committed first, and tested with the rest. */
async function resolved(root: string, task: Task, { git }: Config, dryRun: boolean) {
  const edits = dryRun ? await editsIn(root, task) : await commitEdits(root, task, git);
  return { commit: await commitFor(root, task, dryRun), edits };
}

/** What a person committed in the workspace since is part of it. */
async function commitFor(root: string, task: Task, dryRun: boolean): Promise<string> {
  const { branch = '', commit: noted = '' } = notedOf(task);
  const plan = planOf(root, task);
  if (plan && !dryRun) await bringHome(root, task.id, plan);
  const { commits } = await branchesOf(root);
  const commit =
    commits.get(branch) ?? (await commitOf(root, ownRef(task.id))) ?? (await commitOf(root, noted));
  if (commit !== undefined) return commit;
  throw new DocketError(
    'NOT_FOUND',
    `the branch "${branch}" is gone`,
    fix`${command`restore`} brings back what was kept`,
    {
      id: task.id,
      branch,
    },
  );
}

/** Its files would change under an agent. */
async function assertNobodyInPlace(root: string, into: string, tasks: readonly Task[]): Promise<void> {
  const { current } = await branchesOf(root);
  const busy = tasks.find((task) => isWorking(task.status) && needsWorkTree(task));
  if (current !== into || !busy) return;
  const { name } = ownOf(busy);
  throw new DocketError(
    'REFUSED',
    `task ${name} is at work in place, on "${into}"`,
    fix`merge when it has ended; see how far it is: ${command`show ${busy.id}`}`,
    {
      id: busy.id,
    },
  );
}

const isWorking = (status: Task['status']): boolean => status === 'running' || status === 'review';
