import path from 'node:path';
import { DocketError } from '../errors.ts';
import { shellWord } from '../errors/shell-word.ts';
import { someNames } from '../errors/some-names.ts';
import { git, tryGit } from '../io/git.ts';
import { exists } from '../io/links.ts';
import { branchesOf, branchRef, noHooks } from './branch.ts';
import { asText, parts } from './bytes.ts';
import { notWithin } from './commit-status.ts';
import { gitDirOf } from './place.ts';

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

interface Move {
  branch: string;
  from: string;
  to: string;
}

/**
 * Moves a branch from one commit to a later one, if it is still there: 'moved' or 'late'. Where it is checked out its
 * files go along, and edits of people in other files stay as they are.
 */
export async function moveBranch(
  root: string,
  { reason, ...move }: Move & { reason: string },
): Promise<'moved' | 'late'> {
  const { branch, from, to } = move;
  const { commits, places } = await branchesOf(root);
  if (commits.get(branch) !== from) return 'late';
  const place = places.get(branch);
  if (place === undefined) {
    const args = ['update-ref', '-m', `docket: ${reason}`, branchRef(branch), to, from];
    const { code } = await tryGit(root, args, { config: noHooks });
    return code === 0 ? 'moved' : 'late';
  }
  await assertUntouched(place, move);
  const args = ['merge', '--ff-only', '--quiet', '--no-verify-signatures', to];
  const { code, stderr } = await tryGit(place, args, { config: noHooks, timeoutMs: 0 });
  if (code === 0) return 'moved';
  if ((await branchesOf(root)).commits.get(branch) !== from) return 'late';
  const said = stderr.trim().split('\n').slice(0, 5).join(' ');
  throw notLandable(
    place,
    branch,
    `git refuses to move its files: ${said}`,
    `see: git -C ${shellWord(place)} status`,
  );
}

/** Refuses where the branch is checked out and the move would change a file that somebody has edited. */
export async function assertLandable(root: string, move: Move): Promise<void> {
  const place = (await branchesOf(root)).places.get(move.branch);
  if (place !== undefined) await assertUntouched(place, move);
}

/** What git would refuse by itself, before anything is tested: edits of other files are no reason. */
async function assertUntouched(place: string, { branch, from, to }: Move): Promise<void> {
  const gitDir = await gitDirOf(place);
  const begun = ['merge', 'cherry-pick'].find((what) => exists(path.join(gitDir, headOf(what))));
  if (begun !== undefined)
    throw notLandable(
      place,
      branch,
      `a ${begun} is in progress there`,
      `finish it, or: git ${begun} --abort`,
    );
  const diff = ['diff-tree', '-r', '-z', '--name-status', '--no-renames', from, to];
  const words = parts(await git(place, diff, { bytes: true, timeoutMs: 0 }));
  const touched = new Map(words.flatMap((word, at) => (at % 2 === 1 ? [[word, words[at - 1]]] : [])));
  const status = ['status', '--porcelain', '-z', '--untracked-files=no', '--no-renames', notWithin];
  const lines = parts(await git(place, status, { bytes: true }));
  const isInTheWay = (line: string) => touched.has(line.slice(3)) || unmerged.test(line);
  const edited = lines.filter(isInTheWay).map((line) => line.slice(3));
  const isNew = (name: string) => touched.get(name) === 'A' && exists(path.join(place, asText(name)));
  const names = [...edited, ...(await untrackedIn(place, [...touched.keys()].filter(isNew)))].map(asText);
  if (names.length === 0) return;
  const why = `the merge would overwrite changes there that are not committed: ${someNames(names, 5)}`;
  throw notLandable(place, branch, why, 'commit or stash them, then merge again');
}

/** Git moves nothing while a conflict is not resolved, in whichever file. */
const unmerged = /^(?:U.|.U|AA|DD)/;
const headOf = (what: string): string => `${what.replace('-', '_').toUpperCase()}_HEAD`;

/** Those of these files that git does not know. It does not mind to overwrite what it ignores. */
async function untrackedIn(place: string, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const all = new Set(names);
  const list = ['ls-files', '-z', '--others', '--exclude-standard'];
  return parts(await git(place, list, { bytes: true })).filter((name) => all.has(name));
}

function notLandable(place: string, branch: string, why: string, fix: string): DocketError {
  const message = `"${branch}" is checked out in ${place}, and ${why}`;
  return new DocketError('REFUSED', message, `${fix}; nothing was changed`, { branch, path: place });
}
