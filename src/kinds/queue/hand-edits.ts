import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { command, fix, type Fix } from '../../errors/command.ts';
import { shellWord } from '../../errors/shell-word.ts';
import { someNames } from '../../errors/some-names.ts';
import { type CommandResult, runCommands } from '../../gate/commands.ts';
import { bestLockKind, lockWithin, openMutex } from '../../io/lock.ts';
import { reasonLine } from '../../render/reason-line.ts';
import { tellingLine } from '../../render/telling.ts';
import { commandRights } from '../../settings/command-rights.ts';
import type { Config } from '../../settings/config.ts';
import { maskingFor } from '../../settings/masking.ts';
import { acceptanceCommands } from '../../settings/prove.ts';
import { readConfig } from '../../settings/read-config.ts';
import { factsOf } from '../../store/upkeep/store-files.ts';
import type { Task } from '../../task/schema.ts';
import { uncommittedIn } from '../../workspace/commit-status.ts';
import { commitWork, hooksOf } from '../../workspace/commit.ts';
import { hiddenInWorkspace } from '../../workspace/hidden-edits.ts';
import { bringHome } from '../../workspace/integrate.ts';
import { withTrial } from '../../workspace/merge-trial.ts';
import { isHeldByMerge } from './actions.ts';
import { notedOf, ownOf } from './format/record.ts';
import type { QueueProject } from './kind.ts';
import { planOf } from './workspace.ts';

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

/** Only one docket at a time tries commits and moves branches. */
export async function withMergeLock<T>(
  dir: string,
  { lockWaitSeconds }: Pick<Config, 'lockWaitSeconds'>,
  use: () => Promise<T>,
): Promise<T> {
  const mutex = openMutex(
    path.join(dir, 'merge.lock'),
    factsOf({ root: dir, dir, layout: {} })?.lock ?? bestLockKind(),
  );
  try {
    await lockWithin(mutex, lockWaitSeconds * 1000);
  } catch (error) {
    mutex.close();
    throw error;
  }
  try {
    return await use();
  } finally {
    mutex.unlock();
    mutex.close();
  }
}

const longestMs = 30 * 60_000;
const outputBytes = 64 * 1024;

/** Runs them on a commit in a work tree of its own, held as the agents of these tasks were. Returns those that failed. */
export async function failuresOn(
  commit: string,
  commands: readonly string[],
  {
    root,
    dir,
    env,
    tasks,
    signal,
  }: Pick<QueueProject, 'root' | 'dir' | 'env'> & { tasks: readonly Task[]; signal: AbortSignal },
): Promise<CommandResult[]> {
  if (commands.length === 0) return [];
  const config = await readConfig(root, env);
  const mask = maskingFor({ root, env }, config);
  const ran = await withTrial(root, dir, commit, (cwd) =>
    runCommands(commands, {
      cwd,
      env,
      dir: path.join(dir, 'trial-commands'),
      timeoutMs: longestMs,
      outputBytes,
      signal,
      mask,
      ...commandRights(tasks, config, root),
    }),
  );
  signal.throwIfAborted();
  return ran.filter(({ code }) => code !== 0);
}

/** It is done, or was and a merge has held it. A branch of an earlier run says nothing about that. */
export function assertProved(task: Task): void {
  if (task.status === 'done' || isHeldByMerge(task)) return;
  const { name } = ownOf(task);
  const data = { id: task.id, status: task.status };
  throw new DocketError('REFUSED', `task ${name} is ${stateOf(task)}`, wayToDone(task, name), data);
}

function stateOf(task: Task): string {
  if (task.status !== 'blocked') return `${task.status}, not done`;
  const why = reasonLine(task.reason.kind, tellingLine(task.reason.text)).slice(0, 500);
  return `blocked (${why}), not done: only work that is proved leaves its workspace`;
}

/** What has to be done before it can leave its workspace. */
function wayToDone(task: Task, name: string): Fix {
  switch (task.status) {
    case 'queued':
      return fix`run it first: ${command`run ${name}`}`;
    case 'running':
    case 'review':
      return fix`wait until it has ended; see how far it is: ${command`show ${name}`}`;
    case 'blocked':
      return fix`see what is missing: ${command`explain ${name}`}; have it mended: ${command`retry ${name} --note TEXT`}, then ${command`run`}`;
    default:
      return fix`have it done first: ${command`retry ${name}`}, then ${command`run`}`;
  }
}
