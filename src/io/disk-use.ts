import fs from 'node:fs';
import path from 'node:path';
import { codeOf } from './io-error.ts';

/** What a file or a folder takes up on the disk, in bytes. Links are not followed; a file with many names counts once. */
export function bytesIn(place: string): number {
  const seen = new Set<string>();
  const open = [place];
  let bytes = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const here = at;
    const stat = unlessGone(() => fs.lstatSync(here));
    if (!stat) continue;
    if (stat.nlink > 1 && !stat.isDirectory()) {
      const name = `${stat.dev}.${stat.ino}`;
      if (seen.has(name)) continue;
      seen.add(name);
    }
    bytes += stat.blocks * 512;
    if (stat.isDirectory())
      for (const child of unlessGone(() => fs.readdirSync(here)) ?? []) open.push(path.join(here, child));
  }
  return bytes;
}

/** Others free a little while we look: what has no more room than that is full. */
const littleBytes = 1024 ** 2;

/** Whether there is no room left where a folder is. */
export function isFull(folder: string): boolean {
  const stat = unlessGone(() => fs.statfsSync(folder));
  return stat !== undefined && stat.blocks > 0 && stat.bavail * stat.bsize < littleBytes;
}

/** It may go while we look, and what we may not look into is not ours. */
function unlessGone<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(codeOf(error) ?? '')) return undefined;
    throw error;
  }
}
