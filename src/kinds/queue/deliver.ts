import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import type { Config } from '../../settings/config.ts';
import type { Delivery, FailedDelivery } from '../../task/delivery.ts';
import type { BlockReason, Task } from '../../task/schema.ts';
import { isLow } from '../../task/trust.ts';
import { uncommittedIn, type Uncommitted } from '../../workspace/commit-status.ts';
import { commitWork, hooksOf } from '../../workspace/commit.ts';
import { hiddenInWorkspace } from '../../workspace/hidden-edits.ts';
import { bringHome, homeCalls } from '../../workspace/integrate.ts';
import { newlyIgnored } from '../../workspace/newly-ignored.ts';
import { pushBranch } from '../../workspace/push.ts';
import { type Noted, notedOf, ownOf, wishesOf } from './format/record.ts';
import type { QueueProject } from './kind.ts';
import { pullRequest } from './pull-request.ts';
import { planOf } from './workspace.ts';

export type NotedSet = { [K in keyof Noted]?: Noted[K] | undefined };

export interface Delivered {
  /** To be written down with the end of the run. */
  noted: NotedSet;
  /** Absent: nothing was to be delivered, or it is held. */
  delivery?: Delivery;
  /** The work is whole in its workspace, and a person has to bring it onto its branch: the task is not done. */
  held?: BlockReason;
  /** In the workspace and in no commit, because the task changed what git ignores. */
  ignored?: string[];
}

const defaultRemote = 'origin';

/**
 * What is done with work that went well: committed on the task's branch, taken into the root, and pushed or made a pull
 * request where its record asks for that. In place nothing is: whoever works in people's own tree leaves committing to
 * them. Whatever goes wrong here, the work stays in its workspace.
 */
export async function deliver(
  task: Task,
  { root, env }: Pick<QueueProject, 'root' | 'env'>,
  { git }: Pick<Config, 'git'> = {},
): Promise<Delivered> {
  const { workspace } = notedOf(task);
  if (workspace === undefined) return { noted: {} };
  const noted: NotedSet = { deliveryError: undefined };
  let unkept: string[] = [];
  try {
    const plan = planOf(root, task);
    if (!plan) throw notOurs(workspace);
    const hidden = await hiddenInWorkspace(plan, root);
    if (hidden.length > 0) return { noted, held: hiddenFrom(hidden, task) };
    const ignored = await newlyIgnored(plan.path, plan.baseCommit);
    if (ignored?.isAll) return { noted, held: allIgnored(ignored.paths, task) };
    unkept = ignored?.paths ?? [];
    const hooks = git?.hooks ? { hooks: await hooksOf(root) } : {};
    const about = { cwd: plan.path, branch: plan.branch, message: messageFor(task) };
    const next = homeCalls(root, task.id, plan);
    const { commit, followed, altered } = await commitWork({ ...about, ...hooks, next });
    noted.commit = followed ? commit : await bringHome(root, task.id, plan, commit);
    noted.branch = plan.branch;
    if (altered) return { noted, held: alteredBy(task) };
    const left = leftIn(await uncommittedIn(plan.path), task);
    if (left) return { noted, held: left };
  } catch (error) {
    if (error instanceof DocketError && error.code === 'DISK_FULL') throw error; // nobody's conflict: it is delivered when there is room
    return { noted, held: { kind: 'conflict', text: sentence(error), who: 'a person' } };
  }
  const sent = await publishAsAsked({ ...task, extras: extrasWith(task, noted) }, { root, env }, git?.hooks);
  const also = { delivery: sent.delivery, ...(unkept.length > 0 && { ignored: unkept }) };
  return { noted: { ...noted, ...sent.noted }, ...also };
}

/** All that was done would be lost without a word. */
function allIgnored(paths: readonly string[], { id }: Task): BlockReason {
  const text =
    fix`nothing would be committed: the task changed what git ignores (.gitignore), and all it made is ignored now: ${paths.slice(0, 20).join(', ')}. Correct the rules in its workspace, then: ${command`retry ${id}`}`
      .text;
  return { kind: 'verify', text, who: 'a person' };
}

/** What was proved is more than what was committed: somebody would miss it. */
function leftIn({ paths, unmerged, repositories }: Uncommitted, { id }: Task): BlockReason | undefined {
  const left = [...paths, ...unmerged, ...repositories];
  if (left.length === 0) return undefined;
  const what = `its work is committed, and this is left in its workspace: ${left.slice(0, 20).join(', ')}`;
  const inner =
    repositories.length > 0
      ? ` (${repositories.join(', ')}: a repository of its own, whose files are in no commit of the task: move it away, or remove its .git, then "git rm --cached" and "git add" it)`
      : '';
  return { kind: 'verify', text: fix`${what}${inner}; then: ${command`retry ${id}`}`.text, who: 'a person' };
}

function alteredBy({ id }: Task): BlockReason {
  const text =
    fix`a hook of git changed the work while it was committed: what was proved was another; then: ${command`retry ${id}`}`
      .text;
  return { kind: 'verify', text, who: 'a person' };
}

/** Nobody can say that what would be committed is what was proved. */
function hiddenFrom(hidden: readonly string[], { id }: Task): BlockReason {
  const what = `git was told not to look at these files of its workspace: ${hidden.slice(0, 20).join(', ')}`;
  return {
    kind: 'verify',
    text: fix`${what} (marks of git update-index, or .git/info/exclude there); undo that, then: ${command`retry ${id}`}`
      .text,
    who: 'a person',
  };
}

/**
 * Pushes committed work and opens a pull request, as far as its record asks for them. What goes wrong is the answer: the
 * work is done and safe on its branch.
 */
export async function publishAsAsked(
  task: Task,
  { root, env }: Pick<QueueProject, 'root' | 'env'>,
  hooks = false,
): Promise<{ noted: NotedSet; delivery: Delivery }> {
  const { autoPr, draftPr, publish } = wishesOf(task);
  const { branch, commit } = notedOf(task);
  if (branch === undefined || commit === undefined) return { noted: {}, delivery: { state: 'none' } };
  if (!autoPr && !publish) return { noted: {}, delivery: { state: 'committed', branch, commit } };
  if (isLow(task)) {
    const reason =
      fix`not pushed: nobody vouches for its author. Review it, then: ${command`pr ${ownOf(task).name}`}`
        .text;
    return { noted: {}, delivery: failed('author', reason) };
  }
  try {
    await pushBranch(root, { remote: defaultRemote, branch, env, hooks });
  } catch (error) {
    return { noted: {}, delivery: failed('push', sentence(error)) };
  }
  const noted = { pushed: defaultRemote };
  if (!autoPr) return { noted, delivery: { state: 'pushed', remote: defaultRemote } };
  try {
    const { url } = await pullRequest(task, { draft: draftPr }, { root, env });
    return { noted: { ...noted, prUrl: url }, delivery: { state: 'proposed', url } };
  } catch (error) {
    return { noted, delivery: failed('proposal', sentence(error)) };
  }
}

function failed(cause: FailedDelivery['cause'], reason: string): FailedDelivery {
  return { state: 'failed', cause, reason };
}

function extrasWith(task: Task, noted: NotedSet): Task['extras'] {
  const set = Object.entries({ ...notedOf(task), ...noted }).filter(([, value]) => value !== undefined);
  return { ...task.extras, queueRun: Object.fromEntries(set) as Task['extras'][string] };
}

function messageFor(task: Task): string {
  const { issue } = wishesOf(task);
  const about = issue === undefined ? '' : `\n\nFor issue #${issue}.`;
  return `docket: ${ownOf(task).name}\n\n${task.title}${about}\n`;
}

export function sentence(error: unknown): string {
  if (!(error instanceof DocketError)) throw error;
  return `${error.message} (${error.fix})`.slice(0, 2000);
}

function notOurs(workspace: string): DocketError {
  return new DocketError(
    'NOT_FOUND',
    `the workspace ${workspace} is gone, or another folder is in its place`,
    fix`look for it; "${command`retry`}" makes a new one from the branch`,
    { path: workspace },
  );
}
