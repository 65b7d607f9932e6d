import { areSettled, stampsOf, stampText } from '../../io/stamp.ts';
import type { Project } from '../../settings/project.ts';
import type { Remembered } from './cache.ts';
import { folderFiles, folderStamps, type FolderKind } from './folder-files.ts';
import { isAnyGone } from './gone.ts';
import type { Row } from './row.ts';
import type { Sight } from './sight.ts';
import type { ViewFinding } from './types.ts';

export interface FoldersCache extends FoldersStamps {
  /** The stamp of where they lie; '': it proves nothing. */
  folder: string;
  /** Those of which more than the journal was looked at. */
  open: string[];
  sight: Sight;
}

export interface FoldersStamps {
  /** One to a line. */
  names: string;
  /** Of their files, in the order of the names. Of what cannot be believed: numbers that no file has. */
  stamps: string;
}

export interface FoldersLook {
  /** Undefined: there are none. */
  sight: Sight | undefined;
  findings: ViewFinding[];
  /** What is to be remembered; absent: what was still holds. */
  fresh?: { cache: FoldersCache; rows: Record<string, Row> };
}

/** Reads only folders that have changed since the last look. */
export async function lookAtFolders(
  kind: FolderKind,
  where: Project,
  remembered: Remembered,
): Promise<FoldersLook> {
  const { root } = where;
  const now = Date.now();
  const place = stampsOf([`${root}/${folderFiles[kind].folder}`]);
  const folder = areSettled(place, now) ? stampText(place) : '';
  const known = remembered.cache[kind];
  if (known && folder !== '' && known.folder === folder) {
    const stamps = folderStamps(kind, root, known.names.split('\n'), new Set(known.open));
    if (stampText(stamps) === known.stamps && !(await isAnyGone(known.sight.rows)))
      return { sight: known.sight, findings: [] };
  }
  const names = folderFiles[kind].names(root);
  if (names.length === 0) return { sight: undefined, findings: [] };
  const { readFolders } = await import('./read-folders.ts');
  const before = known && { ...known, rows: remembered.rows()[kind] ?? {} };
  return readFolders(kind, where, { folder, names }, before);
}
