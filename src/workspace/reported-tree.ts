import path from 'node:path';
import { messageOf } from '../errors.ts';
import { git, tryGit } from '../io/git.ts';
import { placeInside } from '../io/inside.ts';
import { exists, realFolder } from '../io/links.ts';
import { treeState } from './tree.ts';

/** Where a worker says that it worked, in its own words: hostile until checked. */
export interface ReportedPlace {
  worktreePath?: string;
  branch?: string;
}

/** The tree that a worker names, as docket sees it. */
export interface ReportedTree {
  /** Paths that differ from where the project and this tree parted. Undefined: git cannot tell. */
  changed: string[] | undefined;
  exists: (name: string) => boolean;
}

/**
 * Looks only into work trees of the same repository, folders inside the project, and branches of the repository. Git is
 * not run in a folder that is no work tree of ours: its settings are an agent's.
 */
export async function reportedTree(
  root: string,
  { worktreePath, branch }: ReportedPlace,
): Promise<ReportedTree | { problem: string } | undefined> {
  if (worktreePath !== undefined && worktreePath.trim() !== '') return folderTree(root, worktreePath.trim());
  return branch === undefined || branch.trim() === '' ? undefined : branchTree(root, branch.trim());
}

async function folderTree(
  root: string,
  worktreePath: string,
): Promise<ReportedTree | { problem: string } | undefined> {
  const named = path.resolve(root, worktreePath);
  const place = realPath(named);
  if (place === realPath(root)) return undefined;
  const isThere = (folder: string) => (name: string) => isInside(folder, name);
  if (place !== undefined && (await worktreesOf(root)).includes(place)) {
    const state = await treeState(place, true);
    if (!state) return { problem: `git cannot read the work tree ${worktreePath}` };
    const committed = await changedOn(root, state.head);
    const changed = committed && [...new Set([...committed, ...state.dirty.keys()])];
    return { changed, exists: isThere(place) };
  }
  try {
    const inside = placeInside(root, named);
    if (exists(inside)) return { changed: undefined, exists: isThere(inside) };
  } catch (error) {
    return { problem: `${messageOf(error)}, and it is no work tree of this repository` };
  }
  return { problem: 'there is no such folder' };
}

function realPath(folder: string): string | undefined {
  return exists(folder) ? realFolder(folder) : undefined;
}

/** A link in an agent's folder must not lead us elsewhere. */
function isInside(folder: string, name: string): boolean {
  try {
    return exists(placeInside(folder, name));
  } catch {
    return false;
  }
}

async function branchTree(root: string, branch: string): Promise<ReportedTree | { problem: string }> {
  const ref = `refs/heads/${branch.replace(/^refs\/heads\//, '')}`;
  const { code, stdout } = await tryGit(root, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]);
  const head = stdout.trim();
  if (code !== 0 || head === '') return { problem: 'this repository has no such branch' };
  const { stdout: names } = await tryGit(root, ['ls-tree', '-r', '--name-only', '-z', head]);
  const files = new Set(names.split('\0'));
  const isThere = (name: string) =>
    files.has(name) || [...files].some((file) => file.startsWith(`${name.replace(/\/$/, '')}/`));
  return { changed: await changedOn(root, head), exists: isThere };
}

/** What a commit has that the project has not, since they parted. */
async function changedOn(root: string, head: string): Promise<string[] | undefined> {
  const { code, stdout } = await tryGit(root, ['merge-base', 'HEAD', head]);
  if (code !== 0) return undefined;
  const names = await git(root, ['diff', '--name-only', '--no-renames', '-z', stdout.trim(), head]);
  return names.split('\0').filter((name) => name !== '');
}

/** The real places of all work trees of the repository. */
async function worktreesOf(root: string): Promise<string[]> {
  const { stdout } = await tryGit(root, ['worktree', 'list', '--porcelain']);
  return stdout.split('\n').flatMap((line) => {
    const [, folder] = /^worktree (.+)$/.exec(line) ?? [];
    return (folder === undefined ? undefined : realPath(folder)) ?? [];
  });
}
