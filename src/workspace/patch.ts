import { changedAreas } from './changes.ts';
import { lookAt, lookBack, type Snapshot, type WorkTree } from './snapshot.ts';
import type { Area, TreeStore } from './tree-store.ts';

/** More names than this are no command line; then all of it is shown. */
const mostPaths = 2000;
const plain = ['--full-index', '--no-renames', '--no-ext-diff', '--no-textconv'];

/** What was done since, as a patch for people and agents to read; binary files are named, not printed. `now`: what is known. `only`: of these files. */
export async function patchSince(
  tree: WorkTree,
  snapshot: Snapshot,
  now?: Snapshot,
  only?: readonly string[],
): Promise<string> {
  const look = await (now ? lookBack(tree, now) : lookAt(tree, snapshot));
  const patches: string[] = [];
  for (const { area, before, now } of changedAreas(look, snapshot))
    patches.push(await patchBetween(look.store, area, [before, now], [], only));
  return Buffer.from(patches.join(''), 'latin1').toString('utf8');
}

/** As bytes. */
export function patchBetween(
  store: TreeStore,
  area: Area,
  trees: readonly [string, string],
  options: readonly string[] = [],
  only: readonly string[] = [],
): Promise<string> {
  const prefixes = [`--src-prefix=a/${area.prefix}`, `--dst-prefix=b/${area.prefix}`];
  const paths = only.length > 0 && only.length <= mostPaths ? ['--', ...only] : [];
  const args = ['diff-tree', '-r', '-p', ...plain, ...options, ...prefixes, ...trees, ...paths];
  return store.run(area, paths.length > 0 ? ['--literal-pathspecs', ...args] : args);
}
