import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { DocketError } from '../errors.ts';
import { listDir } from '../io/files.ts';
import { removeTree, renamePath } from '../io/folders.ts';
import { git } from '../io/git.ts';
import { isOwnFolder, makeOwnFolder } from '../io/own-folder.ts';
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
  if (isOwnFolder(home)) return home;
  makeOwnFolder(path.dirname(clones), path.basename(clones));
  removeHalves(clones, task.id);
  // A name of its own: a git that outlived its docket may still be writing to the last one, and cleans up after itself.
  const half = `${home}.${randomUUID()}.half`;
  await git(root, ['clone', '--quiet', '--local', '--no-tags', root, half]);
  await git(half, ['switch', '--quiet', '--force-create', `docket/${task.id}`]);
  renamePath(half, home);
  return home;
}

/** What a docket that died here left half made. A git that still writes to one makes a little of it anew. */
function removeHalves(clones: string, id: string): void {
  for (const name of listDir(clones))
    if (name.startsWith(`${id}.`) && name.endsWith('.half')) removeTree(path.join(clones, name));
}
