import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { DocketError } from '../errors.ts';
import { listDir } from '../io/files.ts';
import { renamePath } from '../io/folders.ts';
import { tryGit } from '../io/git.ts';
import { exists } from '../io/links.ts';
import { removeTempFolder } from '../io/process/temp-folder.ts';
import { branchesOf, branchRef, noHooks, ownRef } from './branch.ts';
import type { Plan } from './marker.ts';
import { moveWorktree, removeWorktree } from './worktree.ts';

/** Under this name a workspace is on its way out. Ids hold no dot: one is never the beginning of another. */
const goneOf = (id: string): string => `.docket-gone.${id}.`;

/**
 * Takes a workspace away: first its name, then its files. A docket that dies in between leaves it under a name that the
 * next call removes.
 */
export async function removeWorkspace(root: string, id: string, plan: Plan): Promise<void> {
  const { kind, path: place } = plan;
  const folder = path.dirname(place);
  if (exists(place)) {
    const aside = path.join(folder, `${goneOf(id)}${randomUUID()}`);
    if (kind === 'clone') renamePath(place, aside);
    // Git does not move one that has submodules; it is removed where it is.
    else await moveWorktree(root, place, aside).catch(() => removeWorktree(root, place));
  }
  await removeGone(root, id, folder, kind);
}

/** What an earlier call did not get to. */
export async function removeGone(
  root: string,
  id: string,
  folder: string,
  kind: Plan['kind'],
): Promise<void> {
  for (const name of listDir(folder).filter((one) => one.startsWith(goneOf(id)))) {
    const place = path.join(folder, name);
    await removeTempFolder(place);
    if (kind === 'worktree') await removeWorktree(root, place);
    if (exists(place))
      throw new DocketError(
        'NO_ACCESS',
        `${place} holds files that cannot be removed`,
        'remove them by hand: nothing in it is needed any more',
        { path: place },
      );
  }
}

/** Takes the names of a task's work out of the root; each only while it still means this commit. */
export async function removeRefs(
  root: string,
  id: string,
  { branch, keepBranch }: { branch?: string; keepBranch: boolean },
): Promise<void> {
  const { commits, places, own } = await branchesOf(root, id);
  const tip = branch === undefined ? undefined : commits.get(branch);
  const lines: string[] = [];
  if (own !== undefined) lines.push(`delete ${ownRef(id)} ${own}`);
  if (branch !== undefined && tip !== undefined && tip === own && !keepBranch && !places.has(branch))
    lines.push(`delete ${branchRef(branch)} ${tip}`);
  if (lines.length === 0) return;
  const input = [...lines, ''].join('\n');
  const { code, stderr } = await tryGit(root, ['update-ref', '--stdin'], { input, config: noHooks });
  if (code === 0) return;
  throw new DocketError(
    'CONFLICT',
    `the branch of task ${id} was not removed: ${stderr.trim().split('\n').at(-1) ?? ''}`,
    'somebody moved it meanwhile: look at it, and delete again',
    { id, branch },
  );
}
