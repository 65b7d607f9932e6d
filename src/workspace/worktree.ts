import { removeTree } from '../io/folders.ts';
import { git, tryGit } from '../io/git.ts';
import { noHooks } from './branch.ts';
import { withoutLfs } from './clone.ts';
import type { Source } from './place.ts';

/** A linked work tree on a branch that is there. Branches, settings and objects are the root's own. */
export async function makeWorktree({ root }: Source, place: string, branch: string): Promise<void> {
  const config = { ...noHooks, ...withoutLfs(root) };
  await git(root, ['worktree', 'add', '--quiet', place, branch], { timeoutMs: 0, config });
}

/** The name is final only when all of it is there. Git has to hear of it. */
export async function moveWorktree(root: string, from: string, to: string): Promise<void> {
  await git(root, ['worktree', 'move', from, to], { config: noHooks });
}

/** Also one that was half made, or whose folder is gone already. */
export async function removeWorktree(root: string, place: string): Promise<void> {
  await tryGit(root, ['worktree', 'remove', '--force', '--force', place], { config: noHooks });
  removeTree(place);
  await git(root, ['worktree', 'prune'], { config: noHooks });
}
