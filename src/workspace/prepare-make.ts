import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { listDir, makeDir } from '../io/files.ts';
import { removeTree, renamePath } from '../io/folders.ts';
import { exists } from '../io/links.ts';
import { isOwnFolder, makeOwnFolder } from '../io/own-folder.ts';
import { branchesOf, type Branches } from './branch.ts';
import { fillModules } from './clone-modules.ts';
import { makeClone } from './clone.ts';
import { excludeCopied, includeIgnored } from './include.ts';
import { readMarker, writeMarker, type Plan } from './prepare-marker.ts';
import { assertFree, gitDirOf, ownSettings, placeFor, sourceOf, type Source } from './prepare-place.ts';
import { planned, type Wish } from './prepare-plan.ts';
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
  if (found) return finished(await sourceOf(root), id, found.plan, found.gitDir);
  const [source, branches, settings] = await lookedAt(root, id);
  assertFree(place, source);
  if (inOurs) makeOwnFolder(dir, 'clones');
  else makeDir(path.dirname(place));
  const plan = await planned({ root, place, branches }, wish, places);
  await removeHalves(plan, source, id);
  // A name of its own: a git that outlived its docket may still be writing to the last one.
  const half = path.join(path.dirname(place), `${halfOf(id)}${randomUUID()}`);
  const { branch, base } = plan;
  if (plan.kind === 'clone')
    await makeClone(source, half, { branch, settings, ...(base !== undefined && { base }) });
  else await makeWorktree(source, half, branch);
  const gitDir = plan.kind === 'clone' ? path.join(half, '.git') : await gitDirOf(half);
  writeMarker(gitDir, { root, id }, plan, false);
  if (plan.kind === 'clone') renamePath(half, place);
  else await moveWorktree(root, half, place);
  return finished(source, id, plan, plan.kind === 'clone' ? path.join(place, '.git') : gitDir);
}

/** At once: most of what a workspace costs beside the copy is starting git. Where there is no repository, that is told first. */
async function lookedAt(root: string, id: string): Promise<[Source, Branches, Record<string, string>]> {
  const others = Promise.all([branchesOf(root, id), ownSettings(root)]);
  const [source] = await Promise.allSettled([sourceOf(root), others]);
  if (source.status === 'rejected') throw source.reason;
  return [source.value, ...(await others)];
}

/** What is left out when docket dies here is made up for at the next start. */
async function finished(source: Source, id: string, plan: Plan, gitDir: string): Promise<Workspace> {
  const { root, common, prefix } = source;
  const cwd = path.join(plan.path, prefix);
  makeDir(cwd);
  await fillModules(common, plan.path);
  const copied = await includeIgnored(root, cwd);
  if (plan.kind === 'clone') excludeCopied(gitDir, prefix, copied);
  writeMarker(gitDir, { root, id }, plan, true);
  return { plan, cwd };
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
