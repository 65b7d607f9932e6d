import { exists } from '../../io/links.ts';
import type { Config } from '../../settings/config.ts';
import type { Task } from '../../task/schema.ts';
import { type Plan, readMarker } from '../../workspace/marker.ts';
import { makeWorkspace } from '../../workspace/prepare.ts';
import type { TreeState } from '../../workspace/tree.ts';
import { type Noted, notedOf, ownOf, wishesOf } from './format/record.ts';
import type { QueueProject } from './kind.ts';

export type WorkspaceSettings = Pick<Config, 'workspace' | 'worktreeDir' | 'baseBranch' | 'branchPrefix'>;

interface Prepared {
  cwd: string;
  noted: Partial<Noted>;
  isClone: boolean;
  /** What was seen in it when it was made. */
  state?: TreeState;
}

/**
 * Where a task is worked on, made where it is missing. `note` writes the plan down before anything is made, so that a
 * docket that dies in the middle goes on with the same branch. In place nothing is asked and nothing is noted.
 */
export async function prepareWorkspace(
  task: Task,
  { root, dir, clock }: Pick<QueueProject, 'root' | 'dir' | 'clock'>,
  settings: WorkspaceSettings,
  note: (noted: Partial<Noted>) => Promise<void>,
): Promise<Prepared> {
  const { workspace: wished } = task.spec;
  if (wished === undefined || wished.kind === 'inplace') return { cwd: root, noted: {}, isClone: false };
  const wishes = wishesOf(task);
  const noted = notedOf(task);
  // A project that was moved has its workspaces elsewhere: then its record says where, as at the first time.
  const path = noted.workspace !== undefined && exists(noted.workspace) ? noted.workspace : wished.path;
  const base = wishes.base ?? settings.baseBranch;
  const places = { root, dir, now: clock.now(), note: (plan: Plan) => note(notesOf(plan)) };
  const { plan, cwd, state } = await makeWorkspace(places, {
    id: task.id,
    kind: wished.kind === 'worktree' ? 'worktree' : (settings.workspace ?? 'clone'),
    prefix: settings.branchPrefix ?? 'takt',
    slug: wishes.slug ?? ownOf(task).name,
    ...(path !== undefined && { path }),
    ...(settings.worktreeDir !== undefined && { folder: settings.worktreeDir }),
    ...(wishes.branch !== undefined && { branch: wishes.branch }),
    ...(base !== undefined && { base }),
    ...(wishes.issue !== undefined && { issue: wishes.issue }),
    ...(noted.branch !== undefined && { before: { ...noted, branch: noted.branch } }),
  });
  return { cwd, noted: notesOf(plan), isClone: plan.kind === 'clone', ...(state && { state }) };
}

function notesOf({ path: workspace, branch, base, baseCommit }: Plan): Partial<Noted> {
  return { workspace, branch, baseCommit, ...(base !== undefined && { base }) };
}

/**
 * The workspace of a task as docket made it; undefined: it has none, or another folder is in its place. Whoever works
 * there can write its marker too, so the branch that the work goes to is the journal's.
 */
export function planOf(root: string, task: Task): Plan | undefined {
  const { workspace, branch, base, baseCommit } = notedOf(task);
  const found = workspace === undefined ? undefined : readMarker(workspace, { root, id: task.id })?.plan;
  if (!found) return undefined;
  const noted = { ...(base !== undefined && { base }), ...(baseCommit !== undefined && { baseCommit }) };
  return { ...found, ...(branch !== undefined && { branch, ...noted }) };
}
