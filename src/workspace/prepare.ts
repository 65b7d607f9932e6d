import path from 'node:path';
import { DocketError } from '../errors.ts';
import { makeDir } from '../io/files.ts';
import { isDirectory } from '../io/find-up.ts';
import { removeTree, renamePath } from '../io/folders.ts';
import { git } from '../io/git.ts';
import type { Task } from '../task/schema.ts';

/**
 * The folder in which a task is worked on. In place it is the root itself. A clone is made once, under a name that is
 * final only when it is complete, and is kept: it holds work that nobody else has.
 */
export async function prepareWorkspace(root: string, clones: string, task: Task): Promise<string> {
  const { kind = 'inplace' } = task.spec.workspace ?? {};
  if (kind === 'inplace') return root;
  if (
    kind === 'worktree' ||
    (task.spec.workspace?.kind === 'clone' && task.spec.workspace.path !== undefined)
  ) {
    throw new DocketError(
      'INVALID',
      `task ${task.id} wants a work tree at a place of its own, which docket does not make yet`,
      'use "worktree: true" for a clone in docket\'s own folder',
      { id: task.id },
    );
  }
  const home = path.join(clones, task.id);
  if (isDirectory(home)) return home;
  const half = `${home}.half`;
  removeTree(half);
  makeDir(clones);
  await git(root, ['clone', '--quiet', '--local', '--no-tags', root, half]);
  await git(half, ['switch', '--quiet', '--create', `docket/${task.id}`]);
  renamePath(half, home);
  return home;
}
