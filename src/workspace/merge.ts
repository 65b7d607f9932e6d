import { DocketError } from '../errors.ts';
import { git, tryGit } from '../io/git.ts';
import { branchesOf, branchRef, noHooks } from './branch.ts';
import { asText } from './bytes.ts';
import { notWithin } from './commit-status.ts';

/** What two commits become together, worked out without a work tree. */
export type Merged = { tree: string } | { files: string[]; told: string };

export async function mergedTree(root: string, ours: string, theirs: string): Promise<Merged> {
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', ours, theirs];
  const { code, stdout, stderr } = await tryGit(root, args, { bytes: true, timeoutMs: 0 });
  const [tree = '', ...rest] = stdout.split('\0');
  if (code === 0) return { tree };
  if (code !== 1)
    throw new DocketError(
      'IO',
      `git cannot tell how ${theirs} goes with ${ours}: ${stderr.trim().split('\n').at(-1) ?? ''}`,
      'git 2.38 or later is needed; run "git merge-tree" by hand to see more',
      { path: root },
    );
  const end = rest.indexOf('');
  const files = [...new Set(rest.slice(0, end).map(asText))];
  const told = rest.slice(end + 1).filter((word) => word.endsWith('\n'));
  return { files, told: told.map(asText).join('') };
}

/** Used where git knows nobody. */
const nobody = { 'user.name': 'docket', 'user.email': 'docket@localhost' };

export async function commitTree(
  root: string,
  { tree, parents, message }: { tree: string; parents: readonly string[]; message: string },
): Promise<string> {
  const args = [
    'commit-tree',
    '--no-gpg-sign',
    tree,
    ...parents.flatMap((parent) => ['-p', parent]),
    '-F',
    '-',
  ];
  const first = await tryGit(root, args, { input: message });
  if (first.code === 0) return first.stdout.trim();
  return (await git(root, args, { input: message, config: nobody })).trim();
}

export async function isAncestor(root: string, commit: string, of: string): Promise<boolean> {
  return (await tryGit(root, ['merge-base', '--is-ancestor', commit, of])).code === 0;
}

export async function treeOfCommit(root: string, commit: string): Promise<string> {
  return (await git(root, ['rev-parse', '--verify', `${commit}^{tree}`])).trim();
}

/**
 * Moves a branch from one commit to a later one, if it is still there: 'moved' or 'late'. Where it is checked out its
 * files go along, and only where nobody has unsaved work in them.
 */
export async function moveBranch(
  root: string,
  { branch, from, to, reason }: { branch: string; from: string; to: string; reason: string },
): Promise<'moved' | 'late'> {
  const { commits, places } = await branchesOf(root);
  if (commits.get(branch) !== from) return 'late';
  const place = places.get(branch);
  if (place === undefined) {
    const args = ['update-ref', '-m', `docket: ${reason}`, branchRef(branch), to, from];
    const { code } = await tryGit(root, args, { config: noHooks });
    return code === 0 ? 'moved' : 'late';
  }
  await assertClean(place, branch);
  const args = ['merge', '--ff-only', '--quiet', '--no-verify-signatures', to];
  const { code, stderr } = await tryGit(place, args, { config: noHooks, timeoutMs: 0 });
  if (code === 0) return 'moved';
  if ((await branchesOf(root)).commits.get(branch) !== from) return 'late';
  throw dirty(place, branch, stderr.trim().split('\n').slice(0, 5).join(' '));
}

/** The work tree that has it, if any, has nothing that a merge could touch. */
export async function assertLandable(root: string, branch: string): Promise<void> {
  const place = (await branchesOf(root)).places.get(branch);
  if (place !== undefined) await assertClean(place, branch);
}

/** docket's own files change while it works, and are no work of people's. New files are git's to look after. */
async function assertClean(place: string, branch: string): Promise<void> {
  const own = [':(exclude,top).docket', ':(exclude,top).takt'];
  const args = ['status', '--porcelain', '--untracked-files=no', notWithin, '--', ':/', ...own];
  const lines = (await git(place, args)).split('\n').filter((line) => line !== '');
  if (lines.length === 0) return;
  const names = lines.slice(0, 5).map((line) => line.slice(3));
  throw dirty(place, branch, `${names.join(', ')}${lines.length > 5 ? ', …' : ''}`);
}

function dirty(place: string, branch: string, what: string): DocketError {
  return new DocketError(
    'REFUSED',
    `"${branch}" is checked out in ${place}, and there is work in it that is not committed: ${what}`,
    'commit or stash it, and merge again; nothing was changed',
    { branch, path: place },
  );
}
