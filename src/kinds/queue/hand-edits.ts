import { DocketError } from '../../errors.ts';
import { shellWord } from '../../errors/shell-word.ts';
import { someNames } from '../../errors/some-names.ts';
import { tellingLine } from '../../render/telling.ts';
import type { Config } from '../../settings/config.ts';
import { acceptanceCommands } from '../../settings/prove.ts';
import { readConfig } from '../../settings/read-config.ts';
import type { Task } from '../../task/schema.ts';
import { uncommittedIn } from '../../workspace/commit-status.ts';
import { commitWork, hooksOf } from '../../workspace/commit.ts';
import { hiddenInWorkspace } from '../../workspace/hidden-edits.ts';
import { bringHome } from '../../workspace/integrate.ts';
import { notedOf } from './format/noted.ts';
import { ownOf } from './format/record.ts';
import { withMergeLock } from './merge-lock.ts';
import { failuresOn } from './merge-test.ts';
import { planOf } from './plan-of.ts';
import type { QueueProject } from './queue-project.ts';

/** Files that somebody has edited in the workspace of a finished task and not committed: `docket diff` shows them. */
export async function editsIn(root: string, task: Task): Promise<string[]> {
  const plan = planOf(root, task);
  if (!plan) return [];
  const hidden = await hiddenInWorkspace(plan, root);
  if (hidden.length > 0) throw hiddenFiles(hidden, task);
  const { paths, branch } = await uncommittedIn(plan.path);
  if (branch !== plan.branch) throw elsewhere(task, plan, branch);
  return paths;
}

/** Commits them on the task's branch. What is committed so is not proved yet. */
export async function commitEdits(
  root: string,
  task: Task,
  git: Config['git'] | undefined,
): Promise<string[]> {
  const plan = planOf(root, task);
  const edits = await editsIn(root, task);
  if (!plan || edits.length === 0) return [];
  const { name } = ownOf(task);
  const message = `Edits by hand in the workspace of ${name}\n\nTask ${task.id}\n`;
  const hooks = git?.hooks ? { hooks: await hooksOf(root) } : {};
  await commitWork({ cwd: plan.path, branch: plan.branch, message, ...hooks });
  const left = await editsIn(root, task);
  if (left.length === 0) return edits;
  throw new DocketError(
    'REFUSED',
    `task ${name}: git does not commit these files of its workspace: ${someNames(left, 5)}`,
    `commit or remove them in ${plan.path}, then try again`,
    { id: task.id, files: left },
  );
}

/**
 * What leaves a workspace without a merge is what `docket diff` shows, and proved: edits by hand are committed, and where
 * the branch has moved since docket proved it, the acceptance commands run on it again. Returns the commit.
 */
export async function provedCommit(
  task: Task,
  { root, dir, env }: Pick<QueueProject, 'root' | 'dir' | 'env'>,
): Promise<string | undefined> {
  const config = await readConfig(root, env);
  const { commit } = notedOf(task);
  const plan = planOf(root, task);
  if (!plan) return commit;
  return withMergeLock(dir, config, async () => {
    await commitEdits(root, task, config.git);
    const tip = await bringHome(root, task.id, plan);
    if (tip === commit) return tip;
    const where = { root, dir, env, tasks: [task], signal: new AbortController().signal };
    const [failure] = await failuresOn(tip, acceptanceCommands(task, config), where);
    if (!failure) return tip;
    const { name } = ownOf(task);
    const said = tellingLine(failure.output.trim());
    throw new DocketError(
      'NEEDS_PERSON',
      `task ${name} was not delivered: with the edits in its workspace, ${failure.command} fails (exit ${failure.code})${said === '' ? '' : `: ${said}`}`,
      `fix it in ${plan.path}, then try again; the edits are committed on ${plan.branch}`,
      { id: task.id, command: failure.command, exitCode: failure.code },
    );
  });
}

function hiddenFiles(hidden: readonly string[], task: Task): DocketError {
  const { name } = ownOf(task);
  return new DocketError(
    'REFUSED',
    `task ${name}: git was told to ignore changes of these files in its workspace: ${someNames(hidden, 5)}`,
    'undo that (git update-index --no-skip-worktree --no-assume-unchanged, or .git/info/exclude there), then try again',
    { id: task.id, files: hidden },
  );
}

function elsewhere(task: Task, plan: { path: string; branch: string }, is: string): DocketError {
  const { name } = ownOf(task);
  const where = is === '' ? 'no branch' : `the branch "${is}"`;
  return new DocketError(
    'REFUSED',
    `task ${name}: its workspace is on ${where}, and its work is on "${plan.branch}"`,
    `switch back, then try again: git -C ${shellWord(plan.path)} switch ${shellWord(plan.branch)}`,
    { id: task.id, path: plan.path, branch: plan.branch },
  );
}
