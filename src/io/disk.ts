import fs from 'node:fs';
import path from 'node:path';
import { DocketError } from '../errors.ts';
import { removeQuietly, writeTemp } from './files.ts';
import { codeOf } from './io-error.ts';

/** What one who says a few words and ends has room for. */
const enough = new Uint8Array(64 * 1024);

/** Throws where the disk is full. Whatever else is wrong with the folder is told elsewhere. */
export function assertRoom(dir: string): void {
  const temp = path.join(dir, `.room.${process.pid}.docket-tmp`);
  try {
    writeTemp(temp, enough, {});
  } catch (error) {
    if (error instanceof DocketError && error.code === 'DISK_FULL') throw error;
  } finally {
    removeQuietly(temp);
  }
}

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

/** Magic numbers of statfs(2). On these a lock taken here is not seen by the other machine, or lies. */
const network: Record<number, string> = {
  0x6969: 'NFS',
  0x517b: 'SMB',
  0xff534d42: 'CIFS',
  0xfe534d42: 'SMB2',
  0x5346414f: 'AFS',
  0x00c36400: 'Ceph',
};
const shared: Record<number, string> = { 0x01021997: '9p', 0x65735546: 'FUSE', 0x6a656a63: 'virtiofs' };

/** Refuses a folder that machines share; a warning where locks may not reach the other side. */
export function checkFileSystem(
  dir: string,
  typeOf: (dir: string) => number = statfsType,
): string | undefined {
  const type = typeOf(dir);
  const name = network[type];
  if (name !== undefined) {
    throw new DocketError(
      'UNSUPPORTED_FS',
      `${dir} is on a network file system (${name}), where locks between machines cannot be trusted`,
      'keep the repository on a local disk',
      { path: dir, type: name },
    );
  }
  const doubtful = shared[type];
  return (
    doubtful && `${dir} is on ${doubtful}: a docket outside this machine or container would not see our locks`
  );
}

function statfsType(dir: string): number {
  try {
    return fs.statfsSync(dir).type;
  } catch {
    return 0; // No statfs here: nothing known, nothing refused.
  }
}
