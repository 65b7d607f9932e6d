import path from 'node:path';
import { copyUnlessThere } from '../io/copies.ts';
import { listDir, makeDir, replaceFile } from '../io/files.ts';
import { removeTree } from '../io/folders.ts';
import { tryGit } from '../io/git.ts';
import { exists, isRealFolder, linkUnlessThere } from '../io/links.ts';
import { holdsOwnPlaceIn, ownPlacesIn } from '../io/own-places.ts';
import { asText } from './bytes.ts';
import { configText, excludedIn } from './clone.ts';
import { excludeCopied } from './include.ts';
import { gitDirOf, ownSettings, plainSource, sourceOf } from './place.ts';
import { branchInHead, headInFiles } from './ref-files.ts';
import { repositoryAt } from './repositories.ts';
import { lookAt, lookBack, snapshotOf, type Look, type Snapshot, type WorkTree } from './snapshot.ts';

/** Where a copy of people's tree is, and what docket keeps of it. */
export interface CopyPlace extends Pick<WorkTree, 'root' | 'home' | 'watched'> {}

/** The copy as a tree to look at. Undefined: people's folder is no git work tree. */
export async function copyOf(source: WorkTree, place: CopyPlace): Promise<WorkTree | undefined> {
  const repository = await repositoryAt(source.root, true);
  if (!repository) return undefined;
  const objects = [path.join(repository.dir, 'objects'), path.join(source.home, 'trees.git', 'objects')];
  return { ...place, copyOf: { objects, format: repository.format } };
}

/**
 * Makes the copy what people's tree is now, files that are not committed included. What git ignores is not copied but
 * linked to, so that installed dependencies are found. Nothing of people's tree is changed.
 */
export async function refreshCopy(
  source: WorkTree,
  copy: WorkTree,
): Promise<{ source: Snapshot; before: Snapshot }> {
  const isNew = !exists(path.join(copy.root, '.git'));
  if (isNew) removeTree(copy.root);
  makeDir(copy.root);
  const [from, now] = await Promise.all([
    lookAt(source),
    isNew ? lookBack(copy, nothing) : lookAt({ ...copy, filesOnly: true }),
  ]);
  // The files of a repository that an agent made below are listed like all others; its settings are not.
  for (const at of now.store.nested.filter((name) => name !== ''))
    removeTree(path.join(now.root, asText(at), '.git'));
  const { tree } = from.snapshot;
  if (now.snapshot.tree !== tree)
    await now.store.run({ folder: now.root, prefix: '' }, ['read-tree', '--reset', '-u', tree]);
  now.store.nested = [];
  const linked = linkIgnored(from, now.root, copy);
  await makeRepository(source.root, copy, linked);
  return { source: from.snapshot, before: await snapshotOf(copy, tree) };
}

const nothing: Snapshot = { v: 1, tree: '', repositories: [] };

/** A build that leaves more than this many ignored files side by side gets only the first. */
const mostLinks = 5000;

function linkIgnored({ root, ignored }: Look, to: string, { watched }: WorkTree): string[] {
  const [isOwn, holdsOwn] = [ownPlacesIn(root), holdsOwnPlaceIn(root)];
  const names = ignored
    .map((name) => name.replace(/\/$/, ''))
    .filter((name) => !isOwn(name) && !holdsOwn(name) && !watched?.matches(name))
    .slice(0, mostLinks);
  return names.filter((name) => {
    const at = path.join(to, name);
    if (!exists(path.dirname(at))) makeDir(path.dirname(at));
    if (!isRealFolder(path.dirname(at))) return false;
    linkUnlessThere(path.join(root, name), at);
    return true;
  });
}

/**
 * A repository of the copy's own, with people's history to read: what an agent commits, marks or switches there stays
 * there. It is made anew each time, because an agent may have written anything into the last one.
 */
async function makeRepository(
  source: string,
  { root, copyOf: from }: WorkTree,
  linked: readonly string[],
): Promise<void> {
  const dir = path.join(root, '.git');
  removeTree(dir);
  for (const name of ['objects/info', 'refs/heads', 'info', 'hooks']) makeDir(path.join(dir, name));
  const { common, prefix } = plainSource(source) ?? (await sourceOf(source));
  const isSha1 = from?.format === 'sha1';
  const settings = {
    'core.repositoryformatversion': isSha1 ? '0' : '1',
    ...(!isSha1 && { 'extensions.objectFormat': from?.format ?? '' }),
    'core.bare': 'false',
    'gc.auto': '0',
    ...(await ownSettings(source)),
  };
  const put = (name: string, text: string): void => void replaceFile(path.join(dir, name), text);
  put('config', configText(settings));
  put('info/exclude', excludedIn(common));
  excludeCopied(dir, '', linked);
  put('objects/info/alternates', `${JSON.stringify(path.join(common, 'objects'))}\n`);
  // Below the top of its repository a project has no history of its own: there all files are new.
  const head = prefix === '' ? await headOf(source, common) : undefined;
  put('HEAD', `ref: refs/heads/${head?.branch ?? 'main'}\n`);
  if (!head) return;
  put(
    'packed-refs',
    `# pack-refs with: peeled fully-peeled sorted \n${head.commit} refs/heads/${head.branch}\n`,
  );
  for (const name of listDir(head.gitDir))
    if (name === 'index' || name.startsWith('sharedindex.'))
      copyUnlessThere(path.join(head.gitDir, name), path.join(dir, name));
}

async function headOf(source: string, common: string) {
  const gitDir = plainSource(source) ? common : await gitDirOf(source);
  const [branch, known] = [branchInHead(gitDir) ?? 'main', headInFiles(gitDir)];
  const asked = known ?? (await tryGit(source, ['rev-parse', '--verify', '--quiet', 'HEAD'])).stdout.trim();
  return asked === '' ? undefined : { gitDir, branch, commit: asked };
}

/** Makes the copy's repository a folder again: an agent may have put anything in its place. */
export function repairRepository({ root }: WorkTree): void {
  const dir = path.join(root, '.git');
  if (isRealFolder(dir)) return;
  removeTree(dir);
  makeDir(dir);
}
