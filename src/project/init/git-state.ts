import path from 'node:path';
import { tryGit } from '../../io/git.ts';
import { exists } from '../../io/links.ts';

/** How git sees a folder. */
export type GitState =
  | { state: 'missing' }
  | { state: 'none' }
  /** It is a repository, and git will have nothing to do with it. */
  | { state: 'refused'; why: string }
  | { state: 'ok'; top: string; branch?: string; hasCommit: boolean; busy?: string };

/** What git leaves in its folder while something is half done, and how one gets out of it. */
const halfDone: readonly [name: string, what: string][] = [
  ['MERGE_HEAD', 'merge'],
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
];

export async function gitState(root: string): Promise<GitState> {
  const top = await tryGit(root, ['rev-parse', '--show-toplevel', '--absolute-git-dir']);
  if (top.code === 127) return { state: 'missing' };
  if (top.code !== 0) {
    const why = top.stderr.trim().split('\n')[0] ?? '';
    return /not a git repository/i.test(why) ? { state: 'none' } : { state: 'refused', why };
  }
  const [folder = root, own = ''] = top.stdout.trimEnd().split('\n');
  const [branch, head] = await Promise.all([
    tryGit(root, ['symbolic-ref', '--quiet', '--short', 'HEAD']),
    tryGit(root, ['rev-parse', '--quiet', '--verify', 'HEAD^{commit}']),
  ]);
  const busy = halfDone.find(([name]) => exists(path.join(own, name)))?.[1];
  return {
    state: 'ok',
    top: folder,
    hasCommit: head.code === 0,
    ...(branch.code === 0 && { branch: branch.stdout.trim() }),
    ...(busy !== undefined && { busy }),
  };
}
