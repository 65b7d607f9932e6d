import { createHash } from 'node:crypto';
import path from 'node:path';
import { contentOf, isFileOrLink, isRealFolder } from '../io/links.ts';
import { walk } from '../io/walk.ts';
import type { Area, TreeStore } from './tree-store.ts';

/** By store and area, what this process saw last: three calls of git are spared where nothing is another. */
const seen = new Map<string, { digest: string; tree: string }>();

/** The tree of what git obeys in a repository: its hooks and settings. */
export async function guardedTree(store: TreeStore, area: Area): Promise<string> {
  const files = obeyed(area.folder);
  const contents = files.map((name) => [name, contentOf(path.join(area.folder, name))]);
  const digest = createHash('sha256').update(JSON.stringify(contents)).digest('hex');
  const key = keyOf(store, area);
  const last = seen.get(key);
  if (last?.digest === digest) return last.tree;
  await store.refresh(area, files);
  const tree = await store.treeOf(area);
  seen.set(key, { digest, tree });
  return tree;
}

/** To be called where the store's list of an area is set to something else than what was seen. */
export function forgetGuarded(store: TreeStore, area: Area): void {
  seen.delete(keyOf(store, area));
}

function keyOf({ dir }: TreeStore, { folder, prefix }: Area): string {
  return JSON.stringify([dir, folder, prefix]);
}

/** What decides which programs git starts, and what it shows. The samples do nothing. */
function obeyed(gitDir: string): string[] {
  const single = ['config', 'config.worktree', 'info/attributes', 'info/exclude', 'hooks'];
  const hooks = path.join(gitDir, 'hooks');
  const all = isRealFolder(hooks) ? [...walk(hooks, () => true)].map((found) => `hooks/${found.path}`) : [];
  return [...single, ...all.filter((name) => !name.endsWith('.sample'))].filter((name) =>
    isFileOrLink(path.join(gitDir, name)),
  );
}
