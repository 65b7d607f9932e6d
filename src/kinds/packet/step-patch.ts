import path from 'node:path';
import { isDirectory } from '../../io/find-up.ts';
import type { End } from '../../task/trail-schema.ts';
import { patchSince } from '../../workspace/patch.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import { copyOf } from '../../workspace/work-copy.ts';
import type { FoundTask, Patch } from '../kind.ts';

/** What a try of a stage changed: its trees are whole ones in docket's own repository. */
export async function stepPatch(root: string, { name, task }: FoundTask, end: End): Promise<Patch> {
  const trail = task.run?.trail ?? [];
  const own = path.join(root, '.docket', 'packet', name);
  const home = path.join(own, 'copy');
  const before = trail.slice(0, trail.indexOf(end)).findLast((one) => one.node === end.node)?.tree;
  if (before === undefined || end.tree === undefined || !isDirectory(home))
    return { patch: '', partial: true };
  const tree = (id: string): Snapshot => ({ v: 1, tree: id, repositories: [] });
  const copy = await copyOf({ root, home: path.join(own, 'tree') }, { root, home });
  return copy
    ? { patch: await patchSince(copy, tree(before), tree(end.tree)) }
    : { patch: '', partial: true };
}
