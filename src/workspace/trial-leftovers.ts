import path from 'node:path';
import { listFolders, readBytes } from '../io/files.ts';
import { removeEmptyFolder, removeTree } from '../io/folders.ts';
import { exists, realFolder } from '../io/links.ts';

const trialName = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Where every docket has kept its trials, below the folder that it was in. */
const usual = path.join('.docket', 'queue', 'trials');

/**
 * Folders in people's own .git/worktrees that an older docket left: it tried merges in linked work trees, and a kill
 * while git made one leaves an entry that git neither reads nor prunes. Every fetch fails because of it. `common`: the
 * repository's own folder. `dir`: docket's folder of the queue.
 */
export function trialLeftovers(common: string, dir: string): string[] {
  const folder = path.join(common, 'worktrees');
  const ours = [dir, exists(dir) ? realFolder(dir) : dir].map((place) => path.join(place, 'trials'));
  return listFolders(folder).flatMap((name) => {
    const pointer =
      readBytes(path.join(folder, name, 'gitdir'))
        ?.toString('utf8')
        .trim() ?? '';
    const trial = path.dirname(pointer);
    const [parent, last] = [path.dirname(trial), path.basename(trial)];
    if (path.basename(pointer) !== '.git' || !trialName.test(last)) return [];
    // The folder of a project that was moved since has another path.
    const isLost = parent.endsWith(path.sep + usual) && !exists(trial);
    return ours.includes(parent) || isLost ? [path.join(folder, name)] : [];
  });
}

/** Only the holder of the lock on merges may: nobody else has a trial then. Git itself does not remove a locked one. */
export function removeTrialLeftovers(common: string, dir: string): void {
  const left = trialLeftovers(common, dir);
  for (const entry of left) removeTree(entry);
  if (left.length > 0) removeEmptyFolder(path.join(common, 'worktrees'));
}
