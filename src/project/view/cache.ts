import path from 'node:path';
import { readPart, replaceFile } from '../../io/files.ts';
import { isOwnFolder } from '../../io/own-folder.ts';
import type { FolderKind } from './folder-files.ts';
import type { FoldersCache, FoldersStamps } from './folders.ts';
import { packed, unpacked } from './packed.ts';
import type { Row } from './row.ts';
import type { SpentCache } from './spent.ts';
import type { StoreCache } from './stores.ts';

/**
 * What the last look found, each part with the stamps of the files that it was read from. It is believed as far as those
 * are the same now, so it may be lost, old, or from elsewhere: then the files are read. Nobody waits for it, and it
 * holds nothing that time changes.
 */
export interface Cache {
  /** Another number for every change of what is in it. */
  format: typeof format;
  queue?: StoreCache;
  board?: StoreCache;
  task?: FoldersCache;
  packet?: FoldersCache;
  spent?: SpentCache;
}

/** The rows of all folders: of use only when some of them have changed, so they are read only then. */
export type FolderRows = Partial<Record<FolderKind, Record<string, Row>>>;

const kinds = ['task', 'packet'] as const;

export interface Remembered {
  cache: Cache;
  rows: () => FolderRows;
}

const format = 10;
export const emptyCache: Cache = { format };
export const nothing: Remembered = { cache: emptyCache, rows: () => ({}) };

const fileIn = (root: string): string => path.join(root, '.docket', 'view.json');

export function readCache(root: string): Remembered {
  const read = (start: number, length: number) => readPart(fileIn(root), start, length);
  try {
    const found = unpacked(read);
    const seen = found?.first as Cache | undefined;
    if (!found || seen?.format !== format) return nothing;
    const cache = { ...seen };
    const stamps = found.bare as Partial<Record<FolderKind, FoldersStamps>>;
    for (const kind of kinds)
      if (seen[kind] && stamps[kind]) cache[kind] = { ...seen[kind], ...stamps[kind] };
    return { cache, rows: () => (found.last() as FolderRows | undefined) ?? {} };
  } catch {
    return nothing; // whatever it is that cannot be read: all of it is in the stores
  }
}

/**
 * Only where docket has a folder: who looks makes none. Two at once replace each other's temp file at the worst, and
 * what comes of that is not whole.
 */
export function writeCache(root: string, cache: Cache, rows: FolderRows): void {
  const seen = { ...cache };
  const stamps: Partial<Record<FolderKind, FoldersStamps>> = {};
  for (const kind of kinds) {
    const known = cache[kind];
    if (!known) continue;
    stamps[kind] = { names: known.names, stamps: known.stamps };
    seen[kind] = { ...known, names: '', stamps: '' };
  }
  try {
    if (isOwnFolder(path.join(root, '.docket')))
      replaceFile(fileIn(root), packed(seen, stamps, rows), { own: true });
  } catch {
    // A full disk, or a workspace that nobody may write to: the next look reads the stores, as this one did.
  }
}
