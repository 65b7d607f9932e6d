import { parts } from './bytes.ts';
import { notWithin } from './commit-status.ts';
import type { Area, TreeStore } from './tree-store.ts';

/** What the store's list of an area says, against the files as they are. Names as bytes, from the area. */
interface Status {
  listed: Set<string>;
  /** Of those listed: what is another now, or gone. */
  changed: string[];
  /** What is not listed. With a slash at its end: a repository. */
  others: string[];
  /** What is not listed because a rule says so; of a folder that one names, only the folder. */
  ignored: string[];
}

const kinds = ['--porcelain=v1', '-z', '--no-renames', '--untracked-files=all', '--ignored=matching'];
/** Without the cache, which goes by the times of folders: anybody can set them. */
const args = ['-c', 'core.untrackedCache=false', 'status', ...kinds, notWithin];

/** One look at everything. The store has no commit, so whatever it lists counts as added. */
export async function statusOf(store: TreeStore, area: Area): Promise<Status> {
  store.unlock(area);
  const status: Status = { listed: new Set(), changed: [], others: [], ignored: [] };
  for (const entry of parts(await store.keepingTree(area, () => store.run(area, args)))) {
    const [code, name] = [entry.slice(0, 2), entry.slice(3)];
    if (code === '??') status.others.push(name);
    else if (code === '!!') status.ignored.push(name);
    else {
      status.listed.add(name);
      if (code[1] !== ' ') status.changed.push(name);
    }
  }
  return status;
}
