import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { DocketError } from '../errors.ts';
import { removeFile } from '../io/files.ts';
import { git, tryGit } from '../io/git.ts';
import { exists } from '../io/links.ts';
import { branchesOf, branchRef, commitOf, noHooks, ownRef } from './branch.ts';
import { checkedOutIn } from './clone-modules.ts';
import { gitlinksIn } from './gitlinks.ts';
import type { Plan } from './marker.ts';
import { isAncestor } from './merge.ts';
import { gitDirOf, plainSource, sourceOf } from './place.ts';
import { refInFiles } from './ref-files.ts';

/**
 * Takes the branch of a workspace into the root. It only ever goes forward, and never where somebody has it checked
 * out; docket's own name for the work gets it in any case. Objects that an agent made are looked at before. `known`: what
 * the branch stands at there, where that is known.
 */
export async function bringHome(
  root: string,
  id: string,
  { kind, path: place, branch }: Plan,
  known?: string,
): Promise<string> {
  if (kind === 'worktree') {
    const commit = (await git(root, ['rev-parse', '--verify', branchRef(branch)])).trim();
    await git(root, ['update-ref', ownRef(id), commit], { config: noHooks });
    return commit;
  }
  await bringModules(root, id, place);
  const ref = branchRef(branch);
  if (known !== undefined && isThere(root, [ref, ownRef(id)], known)) return known;
  const fetch = (refs: readonly string[]) =>
    tryGit(root, [...checking, 'fetch', ...quietly, place, ...refs], { config: noHooks, timeoutMs: 0 });
  const { code } = await fetch([`+${known ?? ref}:${ownRef(id)}`, `${known ?? ref}:${ref}`]);
  if (code === 0 && known !== undefined) return known;
  // Where somebody has the branch checked out, git takes nothing at all.
  const safe = code === 0 ? { code, stderr: '' } : await fetch([`+${ref}:${ownRef(id)}`]);
  const { commits, places, own } = await branchesOf(root, id);
  if (own !== undefined && commits.get(branch) === own && safe.code === 0) return own;
  throw notTaken({ id, branch, place, at: places.get(branch), problem: safe.code === 0 ? '' : safe.stderr });
}

/** The same as calls of git that may follow a commit in the workspace; none: it takes more than that. */
export function homeCalls(root: string, id: string, { kind, path: place, branch }: Plan): string[][] {
  if (kind === 'worktree' || exists(path.join(place, '.gitmodules'))) return [];
  const ref = branchRef(branch);
  const refs = [`+${ref}:${ownRef(id)}`, `${ref}:${ref}`];
  return [['-C', root, ...checking, 'fetch', ...quietly, place, ...refs]];
}

/** Nothing was done, or it was brought before. */
function isThere(root: string, refs: readonly string[], commit: string): boolean {
  const common = plainSource(root)?.common;
  return common !== undefined && refs.every((ref) => refInFiles(common, ref) === commit);
}

/** Objects and the named refs alone. */
export const quietly = [
  '--quiet',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-recurse-submodules',
  '--no-auto-gc',
];
const checking = ['-c', 'fetch.fsckObjects=true'];

/** A commit that a submodule has only there would be missing in the root. */
async function bringModules(root: string, id: string, place: string): Promise<void> {
  if ((await gitlinksIn(place)).length === 0) return;
  const { common } = await sourceOf(root);
  for (const { folder, home } of await checkedOutIn(place, common)) {
    if (home === undefined) continue;
    const args = [...checking, '--git-dir=.', 'fetch', ...quietly, folder, `+HEAD:${ownRef(id)}`];
    await git(home, args, { config: noHooks, timeoutMs: 0 });
  }
}

function notTaken({ id, branch, place, at, problem }: NotTaken): DocketError {
  const why =
    at === undefined ? 'it has commits there that the workspace has not' : `it is checked out in ${at}`;
  const said = problem.trim().split('\n').at(-1) ?? '';
  return new DocketError(
    'REFUSED',
    `the branch "${branch}" of the root was not moved: ${problem === '' ? why : said}; the work is safe in ${place}${problem === '' ? ` and as ${ownRef(id)}` : ''}`,
    at === undefined
      ? `merge both by hand: git merge ${ownRef(id)}`
      : 'switch that work tree to another branch, and try again',
    { branch, path: place },
  );
}

interface NotTaken {
  id: string;
  branch: string;
  place: string;
  /** Where somebody has it checked out. */
  at: string | undefined;
  /** Why nothing was taken at all. */
  problem: string;
}

/**
 * Puts a branch of the root into a clone as it is now, for whoever has to merge with it, and says under which name: an
 * agent may have commits of its own on a branch of that name. A linked work tree has it already.
 */
export async function offerBase(
  root: string,
  { kind, path: place, branch }: Plan,
  base: string,
): Promise<string> {
  if (kind === 'worktree' || base === branch) return base;
  const ref = branchRef(base);
  const commit = await carry(root, place, ref);
  const has = await commitOf(place, ref);
  const goesForward = has === undefined || (await isAncestor(place, has, commit));
  const name = goesForward && (await branchesOf(place)).current !== base ? ref : `refs/docket/base/${base}`;
  await git(place, ['update-ref', name, commit], { config: noHooks });
  return name === ref ? base : name;
}

/**
 * Brings a commit of the root and all that it stands on into a clone. As a file, and never by a fetch that the clone
 * does: its settings could be an agent's, and say which program fetches.
 */
export async function carry(root: string, place: string, ref: string): Promise<string> {
  const commit = (await git(root, ['rev-parse', '--verify', `${ref}^{commit}`])).trim();
  if ((await commitOf(place, commit)) === commit) return commit;
  const file = path.join(await gitDirOf(place), `docket-bundle-${randomUUID()}`);
  const options = { config: noHooks, timeoutMs: 0 };
  try {
    const known = await sharedTips(root, place);
    const not = known.length > 0 ? ['--not', ...known] : [];
    await git(root, ['bundle', 'create', '--quiet', file, ref, ...not], options);
    await git(place, ['bundle', 'unbundle', file], options);
    return commit;
  } finally {
    removeFile(file);
  }
}

/** What both have need not be carried. */
async function sharedTips(root: string, place: string): Promise<string[]> {
  const listed = await git(place, ['for-each-ref', '--format=%(objectname)', 'refs/heads']);
  const tips = [...new Set(listed.split('\n').filter((tip) => tip !== ''))];
  const input = tips.map((tip) => `${tip}\n`).join('');
  const { stdout } = await tryGit(root, ['cat-file', '--batch-check=%(objectname) %(objecttype)'], { input });
  return tips.filter((tip) => stdout.includes(`${tip} commit\n`));
}
