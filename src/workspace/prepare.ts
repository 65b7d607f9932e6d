import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { DocketError } from '../errors.ts';
import { listDir, makeDir } from '../io/files.ts';
import { removeTree, renamePath } from '../io/folders.ts';
import { exists } from '../io/links.ts';
import { isOwnFolder, makeOwnFolder } from '../io/own-folder.ts';
import {
  assertBranchName,
  type Branches,
  branchesOf,
  branchName,
  branchRef,
  commitOf,
  reserveBranch,
} from './branch.ts';
import { fillModules } from './clone-modules.ts';
import { makeClone } from './clone.ts';
import { excludeCopied, includeIgnored } from './include.ts';
import { type Plan, readMarker, writeMarker } from './marker.ts';
import { assertFree, gitDirOf, ownSettings, placeFor, plainSource, type Source, sourceOf } from './place.ts';
import { branchInHead, refInFiles } from './ref-files.ts';
import { stateIn, type TreeState } from './tree.ts';
import { makeWorktree, moveWorktree, removeWorktree } from './worktree.ts';

export interface WorkspaceWish extends Wish {
  /** From the root, or absolute. */
  path?: string;
  /** Where workspaces without a path are. */
  folder?: string;
}

export interface Workspace {
  plan: Plan;
  /** The root's place in it. */
  cwd: string;
  /** Its state, where that is known because it was made just now. */
  state?: TreeState;
}

interface Places {
  root: string;
  /** docket's own folder of the store. */
  dir: string;
  now: number;
  note: (plan: Plan) => Promise<void>;
}

/**
 * The workspace of a task: the one that is there, or a new one. It gets its name when it is whole, and is kept: it holds
 * work that nobody else has. A docket that dies at any point leaves a half, which the next one removes.
 */
export async function makeWorkspace(places: Places, wish: WorkspaceWish): Promise<Workspace> {
  const { root, dir } = places;
  const { id } = wish;
  const place = placeFor(places, wish);
  const inOurs = place.startsWith(path.join(dir, 'clones') + path.sep);
  if (inOurs) isOwnFolder(place);
  const found = readMarker(place, { root, id });
  if (found?.ready) return { plan: found.plan, cwd: await cwdIn(found.plan, root) };
  if (found) return finished(await sourceOf(root), id, found);
  const { source, branches, settings } = await lookedAt(root, wish);
  assertFree(place, source);
  if (inOurs) makeOwnFolder(dir, 'clones');
  else makeDir(path.dirname(place));
  const { plan, commit } = await planned({ root, place, branches }, wish, places);
  await removeHalves(plan, source, id);
  // A name of its own: a git that outlived its docket may still be writing to the last one.
  const half = path.join(path.dirname(place), `${halfOf(id)}${randomUUID()}`);
  const { branch } = plan;
  if (plan.kind === 'clone') {
    const wanted = { branch, commit, settings, ...besides(plan, branches) };
    const made = await makeClone(source, half, wanted);
    writeMarker(path.join(half, '.git'), { root, id }, plan, false);
    renamePath(half, place);
    return finished(source, id, { plan, gitDir: path.join(place, '.git'), ...made });
  }
  await makeWorktree(source, half, branch);
  const gitDir = await gitDirOf(half);
  writeMarker(gitDir, { root, id }, plan, false);
  await moveWorktree(root, half, place);
  return finished(source, id, { plan, gitDir });
}

/** `status`: what git said of it when it was made. */
interface Made {
  plan: Plan;
  gitDir: string;
  status?: string;
}

/** What is left out when docket dies here is made up for at the next start. */
async function finished(source: Source, id: string, { plan, gitDir, status }: Made): Promise<Workspace> {
  const { root, common, prefix } = source;
  const cwd = path.join(plan.path, prefix);
  makeDir(cwd);
  const filled = await fillModules(common, plan.path);
  const copied = await includeIgnored(root, cwd);
  if (plan.kind === 'clone') excludeCopied(gitDir, prefix, copied);
  writeMarker(gitDir, { root, id }, plan, true);
  const isAsMade = status !== undefined && !filled && copied.length === 0;
  return { plan, cwd, ...(isAsMade && { state: stateIn(cwd, status) }) };
}

/** The branch that it was made from, as it stands now. */
function besides({ base }: Plan, { commits }: Branches): { base?: { name: string; commit: string } } {
  const commit = base === undefined ? undefined : commits.get(base);
  return base === undefined || commit === undefined ? {} : { base: { name: base, commit } };
}

/** Ids hold no dot: one is never the beginning of another. */
const halfOf = (id: string): string => `.docket-half.${id}.`;

async function removeHalves(plan: Plan, { root }: Source, id: string): Promise<void> {
  const folder = path.dirname(plan.path);
  for (const name of listDir(folder).filter((one) => one.startsWith(halfOf(id)))) {
    if (plan.kind === 'worktree') await removeWorktree(root, path.join(folder, name));
    else removeTree(path.join(folder, name));
  }
}

/** The root is mostly the top of its repository, and then nobody has to be asked. */
async function cwdIn({ path: place }: Plan, root: string): Promise<string> {
  return exists(path.join(root, '.git')) ? place : path.join(place, (await sourceOf(root)).prefix);
}

/** What has to be known of the root before a workspace is made. */
interface Looked {
  source: Source;
  branches: Branches;
  settings: Record<string, string>;
}

/** Starting git is most of what a look costs: what its files say plainly is read there, and it is asked for the rest at once. */
async function lookedAt(root: string, wish: Wish): Promise<Looked> {
  const plain = plainSource(root);
  const standing = plain && standingAt(plain.common, wish);
  const others = Promise.all([standing ?? branchesOf(root, wish.id), ownSettings(root)]);
  // Where there is no repository, that is told first.
  const [source] = await Promise.allSettled([plain ?? sourceOf(root), others]);
  if (source.status === 'rejected') throw source.reason;
  const [branches, settings] = await others;
  return { source: source.value, branches, settings };
}

/** The branch to begin from, for a task that has none of its own yet; undefined: git has to be asked. */
function standingAt(common: string, { branch, before, base }: Wish): Branches | undefined {
  if (branch !== undefined || before !== undefined) return undefined;
  const current = branchInHead(common);
  const name = base ?? current;
  const commit = name === undefined ? undefined : refInFiles(common, branchRef(name));
  if (current === undefined || name === undefined || commit === undefined) return undefined;
  return { current, commits: new Map([[name, commit]]), places: new Map() };
}

interface Wish {
  id: string;
  kind: 'clone' | 'worktree';
  /** The branch to work on; one that is there already is gone on with. */
  branch?: string;
  base?: string;
  /** What the branch is called otherwise. */
  prefix: string;
  slug: string;
  issue?: number;
  /** What an earlier start decided. */
  before?: { branch: string; base?: string; baseCommit?: string };
}

/**
 * Decides what branch a task works on and takes it. `note` writes the plan down before: a docket that dies in between
 * finds it again. Returns also what the branch stands at.
 */
async function planned(
  { root, place, branches }: { root: string; place: string; branches: Branches },
  wish: Wish,
  { now, note }: { now: number; note: (plan: Plan) => Promise<void> },
): Promise<{ plan: Plan; commit: string }> {
  const { before } = wish;
  if (before && branches.own !== undefined) {
    const commit = branches.commits.get(before.branch) ?? branches.own;
    await take(root, wish, before.branch, commit, !branches.commits.has(before.branch));
    const base = before.base !== undefined && branches.commits.has(before.base) ? before.base : undefined;
    const baseCommit = before.baseCommit ?? commit;
    const plan = { kind: wish.kind, path: place, branch: before.branch, baseCommit };
    return { plan: { ...plan, ...(base !== undefined && { base }) }, commit };
  }
  const { base, commit: from } = await baseOf(root, wish, branches);
  const rest = { kind: wish.kind, path: place, ...(base !== undefined && { base }) };
  for (const branch of await namesFor(root, wish, branches, now)) {
    const there = branches.commits.get(branch);
    const plan: Plan = { ...rest, branch, baseCommit: there ?? from };
    await note(plan);
    const taken = { branch, commit: plan.baseCommit, isNew: there === undefined };
    if (await reserveBranch(root, wish.id, taken)) return { plan, commit: taken.commit };
  }
  throw taken(wish.branch ?? '');
}

async function take(
  root: string,
  { id }: Wish,
  branch: string,
  commit: string,
  isNew: boolean,
): Promise<void> {
  if (!isNew || (await reserveBranch(root, id, { branch, commit, isNew }))) return;
  throw taken(branch);
}

/** One that a person named, or one that is free, with the end of the id where another task was quicker. */
async function namesFor(
  root: string,
  wish: Wish,
  { commits, places }: Branches,
  now: number,
): Promise<string[]> {
  const { branch, id } = wish;
  if (branch === undefined) {
    const name = branchName({ ...wish, now });
    const tail =
      id
        .slice(-7)
        .toLowerCase()
        .replaceAll(/[^a-z0-9]/g, '') || 'x';
    return [name, `${name}-${tail}`, `${name}-${tail}-${now.toString(36)}`].filter(
      (one) => !commits.has(one),
    );
  }
  await assertBranchName(root, branch);
  const at = places.get(branch);
  if (at === undefined) return [branch];
  const message = `the branch "${branch}" is checked out in ${at}, where others may be at work on it`;
  throw new DocketError('REFUSED', message, 'switch that work tree to another branch, or name another', {
    branch,
    path: at,
  });
}

async function baseOf(
  root: string,
  { base }: Wish,
  { commits, current }: Branches,
): Promise<{ base?: string; commit: string }> {
  const name = base ?? current;
  const known = name === undefined ? undefined : commits.get(name);
  if (name !== undefined && known !== undefined) return { base: name, commit: known };
  const commit = await commitOf(root, base ?? 'HEAD');
  if (commit !== undefined) return { commit }; // a tag, a remote's branch, or HEAD alone: nothing that could be merged into
  if (base !== undefined)
    throw new DocketError(
      'NOT_FOUND',
      `there is no branch "${base}" to begin from`,
      'see "git branch --all", and mend base_branch of the task or baseBranch in the settings',
      { base },
    );
  throw new DocketError(
    'REFUSED',
    `the repository in ${root} has no commit yet, so there is nothing to make a workspace from`,
    'commit something first: git add . && git commit -m start',
    { path: root },
  );
}

function taken(branch: string): DocketError {
  const message = `the branch "${branch}" was made by somebody else meanwhile`;
  return new DocketError('REFUSED', message, 'name another branch, or run the task again', { branch });
}
