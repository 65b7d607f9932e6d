import { createHash } from 'node:crypto';
import path from 'node:path';
import { DocketError } from '../errors.ts';
import { createFile, makeDir } from '../io/files.ts';
import { realFolder } from '../io/links.ts';
import { asText } from './bytes.ts';
import { guardedTree } from './guarded.ts';
import { addOthers, type Watched } from './others.ts';
import { repositoryAt, repositoryOfCopy, type Head, type Repository } from './repositories.ts';
import { TreeStore } from './tree-store.ts';

/** What is watched: a work tree, and a folder of ours for what its files were. */
export interface WorkTree {
  root: string;
  home: string;
  /** Files that git ignores do not count, but for these and for those that are tracked. */
  watched?: Watched;
  /** Only its files are compared: neither the settings nor the hooks of its repositories. */
  filesOnly?: boolean;
  /** A copy of another tree. An agent can change its repository, so the objects and their format are given here. */
  copyOf?: { objects: readonly string[]; format: string };
}

/** A work tree at one moment. It can be written down: the files are in the work tree's home. */
export interface Snapshot {
  v: 1;
  /** All files, those of submodules too. */
  tree: string;
  repositories: RepositoryState[];
}

interface RepositoryState {
  /** From the root, with a slash at its end; '' is the root's own. As bytes, like all names of git. */
  path: string;
  head: Head;
  /** The name under which its index is kept. */
  staged: string;
  /** What git obeys: hooks and settings. */
  guarded: { folder: string; tree: string };
}

export interface Look {
  store: TreeStore;
  root: string;
  snapshot: Snapshot;
  /** What git ignores, as text; of a folder that a rule names only the folder, with a slash at its end. */
  ignored: readonly string[];
}

/** Changes nothing of the user's: neither the index nor the stash nor the objects. */
export async function takeSnapshot(tree: WorkTree): Promise<Snapshot> {
  return (await lookAt(tree)).snapshot;
}

/** What was seen earlier, as if it were seen now. */
export async function lookBack(tree: WorkTree, snapshot: Snapshot): Promise<Look> {
  const { store, root } = await opened(tree);
  return { store, root, snapshot, ignored: [] };
}

export async function lookAt(tree: WorkTree, before?: Snapshot): Promise<Look> {
  const { store, root, own } = await opened(tree);
  const known = before?.repositories.map((state) => state.path) ?? [];
  const state = ([at, repository]: [string, Repository]) => stateOf(store, tree.home, at, repository);
  const others = { root, own, known: [...known, ...store.nested], watched: tree.watched };
  const isCompared = tree.filesOnly !== true;
  const [{ found, ignored }, ...ownState] = await Promise.all([
    addOthers(store, others),
    ...(isCompared ? [state(['', own])] : []),
  ]);
  store.nested = [...found.keys()];
  const inner = [...found].filter(([at]) => isCompared && at !== '');
  const [files, ...repositories] = await Promise.all([
    store.treeOf({ folder: root, prefix: '' }),
    ...inner.map(state),
  ]);
  const snapshot: Snapshot = { v: 1, tree: files, repositories: [...ownState, ...repositories] };
  return { store, root, snapshot, ignored: ignored.map(asText) };
}

/** The snapshot of a copy whose files are known to be those of a tree. */
export async function snapshotOf(copy: WorkTree, tree: string): Promise<Snapshot> {
  const { store, own } = await opened(copy);
  return { v: 1, tree, repositories: [await stateOf(store, copy.home, '', own)] };
}

async function opened({ root: given, home, copyOf }: WorkTree) {
  const root = realFolder(given);
  const own = copyOf ? repositoryOfCopy(root, copyOf.format) : await repositoryAt(root, true);
  if (!own)
    throw new DocketError(
      'REFUSED',
      `${root} is no git work tree, so what is out of scope could be neither seen nor undone`,
      'run "git init" there and commit what there is, or see what "git status" says',
      { path: root },
    );
  makeDir(path.join(home, 'staged'));
  const store = new TreeStore(home, {
    objects: copyOf?.objects ?? [path.join(own.dir, 'objects')],
    format: own.format,
  });
  return { root, own, store };
}

async function stateOf(
  store: TreeStore,
  home: string,
  at: string,
  { dir, head, staged }: Repository,
): Promise<RepositoryState> {
  const area = { folder: dir, prefix: `${asText(at)}.git/` };
  return {
    path: at,
    head,
    staged: keep(home, staged),
    guarded: { folder: dir, tree: await guardedTree(store, area) },
  };
}

function keep(home: string, staged: string): string {
  const name = createHash('sha256').update(staged, 'latin1').digest('hex');
  createFile(path.join(home, 'staged', name), Buffer.from(staged, 'latin1'));
  return name;
}
