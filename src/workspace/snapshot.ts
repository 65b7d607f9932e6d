import { createHash } from 'node:crypto';
import path from 'node:path';
import { DocketError } from '../errors.ts';
import { createFile, makeDir } from '../io/files.ts';
import { realFolder } from '../io/links.ts';
import { asText } from './bytes.ts';
import { guardedTree } from './guarded.ts';
import { addOthers, type Watched } from './others.ts';
import { repositoryAt, type Head, type Repository } from './repositories.ts';
import { TreeStore } from './tree-store.ts';

/** What is watched: a work tree, and a folder of ours for what its files were. */
export interface WorkTree {
  root: string;
  home: string;
  /** Files that git ignores do not count, but for these and for those that are tracked. */
  watched?: Watched;
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
}

/** Changes nothing of the user's: neither the index nor the stash nor the objects. */
export async function takeSnapshot(tree: WorkTree): Promise<Snapshot> {
  return (await lookAt(tree)).snapshot;
}

/** What was seen earlier, as if it were seen now. */
export async function lookBack(tree: WorkTree, snapshot: Snapshot): Promise<Look> {
  const { store, root } = await opened(tree);
  return { store, root, snapshot };
}

export async function lookAt(tree: WorkTree, before?: Snapshot): Promise<Look> {
  const { store, root, own } = await opened(tree);
  const known = before?.repositories.map((state) => state.path) ?? [];
  const state = ([at, repository]: [string, Repository]) => stateOf(store, tree.home, at, repository);
  const others = { root, own, known: [...known, ...store.nested], watched: tree.watched };
  const [found, ownState] = await Promise.all([addOthers(store, others), state(['', own])]);
  store.nested = [...found.keys()];
  const [files, ...repositories] = await Promise.all([
    store.treeOf({ folder: root, prefix: '' }),
    ...[...found].filter(([at]) => at !== '').map(state),
  ]);
  return { store, root, snapshot: { v: 1, tree: files, repositories: [ownState, ...repositories] } };
}

async function opened({ root: given, home }: WorkTree) {
  const root = realFolder(given);
  const own = await repositoryAt(root, true);
  if (!own)
    throw new DocketError(
      'REFUSED',
      `${root} is no git work tree, so what is out of scope could be neither seen nor undone`,
      'run "git init" there and commit what there is, or see what "git status" says',
      { path: root },
    );
  makeDir(path.join(home, 'staged'));
  const store = new TreeStore(home, { objects: path.join(own.dir, 'objects'), format: own.format });
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
