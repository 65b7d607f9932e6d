import path from 'node:path';
import { readBytes, removeFile, replaceFile } from '../../io/files.ts';
import { isOwnFolder } from '../../io/own-folder.ts';
import { decodeLine, encodeLine } from '../../store/codec.ts';
import type { FoldersCache } from './folders.ts';
import type { SpentCache } from './spent.ts';

/**
 * What the last look read from places that have no snapshot of their own: folders that are one task each, and the
 * account book. Each part is believed as far as the stamps of its files are the same now. So the file may be lost, old or
 * from elsewhere, nobody waits for it, and nothing in it changes with time.
 */
export interface Cache {
  task?: FoldersCache;
  packet?: FoldersCache;
  spent?: SpentCache;
}

/** Another number for every change of what is in it. */
const format = 1;

const fileIn = (root: string): string => path.join(root, '.docket', 'seen.jsonl');

/** One part to a line, each with its checksum: a line that is torn or edited counts as missing. */
export function readCache(root: string): Cache {
  const cache: Cache = {};
  try {
    const bytes = readBytes(fileIn(root)) ?? Buffer.alloc(0);
    for (let start = 0, end = bytes.indexOf(10); end >= 0; start = end + 1, end = bytes.indexOf(10, start)) {
      const line = decodeLine(bytes, start, end) as { format: number; seen: Cache } | undefined;
      if (line?.format === format) Object.assign(cache, line.seen);
    }
  } catch {
    // Whatever it is that cannot be read: all of it is in the stores.
  }
  return cache;
}

/** Only where docket has a folder: a look makes none. */
export function writeCache(root: string, cache: Cache): void {
  const lines = Object.entries(cache).map(([part, seen]) => encodeLine({ format, seen: { [part]: seen } }));
  try {
    if (!isOwnFolder(path.join(root, '.docket'))) return;
    replaceFile(fileIn(root), lines.join(''), { own: true });
    removeFile(path.join(root, '.docket', 'view.json')); // an older docket kept more than this there
  } catch {
    // A full disk, or a workspace that nobody may write to: the next look reads the stores, as this one did.
  }
}
