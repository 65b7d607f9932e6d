import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { listDir } from '../io/files.ts';
import { makeOwnFolder } from '../io/own-folder.ts';
import { fillModules } from './clone-modules.ts';
import { includeIgnored } from './include.ts';
import { sourceOf } from './prepare-place.ts';
import { makeDetached, removeWorktree } from './worktree.ts';

/** A commit as a work tree, for as long as `use` takes. Only the holder of the lock on merges makes one. */
export async function withTrial<T>(
  root: string,
  dir: string,
  commit: string,
  use: (cwd: string) => Promise<T>,
): Promise<T> {
  const folder = makeOwnFolder(dir, 'trials');
  // What a docket that died here left.
  for (const name of listDir(folder)) await removeWorktree(root, path.join(folder, name));
  const place = path.join(folder, randomUUID());
  try {
    await makeDetached(root, place, commit);
    const { common, prefix } = await sourceOf(root);
    await fillModules(common, place);
    const cwd = path.join(place, prefix);
    await includeIgnored(root, cwd);
    return await use(cwd);
  } finally {
    await removeWorktree(root, place);
  }
}
