import { DocketError } from '../errors.ts';
import { git, tryGit } from '../io/git.ts';

/** The branches of a repository at one moment. */
export interface Branches {
  /** The one that stands in the root's work tree; absent: HEAD is detached. */
  current?: string;
  commits: ReadonlyMap<string, string>;
  /** Where each that is checked out is so. */
  places: ReadonlyMap<string, string>;
  /** What docket holds of the task that was asked for. */
  own?: string;
}

/** Work that is in the root stays there under this name, whatever people do to its branch. */
export const ownRef = (id: string): string => `refs/docket/tasks/${id}`;
export const branchRef = (branch: string): string => `refs/heads/${branch}`;

export async function branchesOf(root: string, id?: string): Promise<Branches> {
  const fields = ['HEAD', 'refname', 'objectname', 'worktreepath'];
  const format = fields.map((field) => `%(${field})%00`).join('');
  const wanted = ['refs/heads', ...(id === undefined ? [] : [ownRef(id)])];
  const told = await git(root, ['for-each-ref', `--format=${format}`, ...wanted]);
  const commits = new Map<string, string>();
  const places = new Map<string, string>();
  let current: string | undefined;
  let own: string | undefined;
  const words = told.split('\0');
  for (let at = 0; at + fields.length <= words.length; at += fields.length) {
    const [mark = '', ref = '', commit = '', place = ''] = words.slice(at, at + fields.length);
    if (id !== undefined && ref === ownRef(id)) own = commit;
    if (!ref.startsWith('refs/heads/')) continue;
    const name = ref.slice('refs/heads/'.length);
    commits.set(name, commit);
    if (place !== '') places.set(name, place);
    if (mark.trim() === '*') current = name;
  }
  return {
    commits,
    places,
    ...(current !== undefined && { current }),
    ...(own !== undefined && { own }),
  };
}

/** A commit by whatever names one; undefined: nothing of that name is there. */
export async function commitOf(root: string, name: string): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  const { code, stdout } = await tryGit(root, args);
  return code === 0 ? stdout.trim() : undefined;
}

/** `takt/20260201T015714-fix-login`, or `takt/7/fix-login` for an issue. Its parts come from files: only plain letters stay. */
export function branchName(wish: { prefix: string; slug: string; issue?: number; now: number }): string {
  const words = wish.slug
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const slug = words.join('-').slice(0, 60).replace(/-$/, '') || 'task';
  if (wish.issue !== undefined) return `${wish.prefix}/${wish.issue}/${slug}`;
  const stamp = new Date(wish.now).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
  return `${wish.prefix}/${stamp}-${slug}`;
}

/**
 * Takes a branch for a task, together with docket's own name for its work: both are there then, or neither. False:
 * somebody else was quicker.
 */
export async function reserveBranch(
  root: string,
  id: string,
  { branch, commit, isNew }: { branch: string; commit: string; isNew: boolean },
): Promise<boolean> {
  const lines = [
    ...(isNew ? [`create ${branchRef(branch)} ${commit}`] : []),
    `update ${ownRef(id)} ${commit}`,
    '',
  ];
  const args = ['update-ref', '-m', `docket: ${id}`, '--create-reflog', '--stdin'];
  const { code, stderr } = await tryGit(root, args, { input: lines.join('\n'), config: noHooks });
  if (code === 0) return true;
  if (isNew && (await branchesOf(root)).commits.has(branch)) return false;
  const said = stderr.trim().split('\n').at(-1) ?? '';
  const fix =
    'remove what is in its way, or choose another: `branch` of the task, or branchPrefix in the settings';
  throw new DocketError('REFUSED', `git does not make the branch "${branch}": ${said}`, fix, { branch });
}

/** What docket does with git starts nobody's programs. */
export const noHooks = { 'core.hooksPath': '/dev/null' };

export async function assertBranchName(root: string, branch: string): Promise<void> {
  const { code } = await tryGit(root, ['check-ref-format', '--branch', branch]);
  // `-1` and `@{-1}` mean the branch before.
  if (code === 0 && !/^-|^@/.test(branch)) return;
  const message = `git takes "${branch}" for no branch's name`;
  throw new DocketError('INVALID', message, 'use letters, digits, "-", "_", "." and "/"', { branch });
}
