import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Where programs put what they need for a while. */
export function tempRoot(): string {
  return os.tmpdir();
}

/** Room that is left where a folder is, in bytes. Undefined: the file system does not say. */
export function freeBytes(folder: string): number | undefined {
  try {
    const { blocks, bavail, bsize } = fs.statfsSync(nearestFolder(folder));
    return blocks > 0 ? bavail * bsize : undefined;
  } catch {
    return undefined; // no statfs here: nothing is known, nothing is said
  }
}

/** Whether something could be made in this folder, or in the nearest one above that is there. Nothing is written. */
export function canWriteTo(folder: string): boolean {
  try {
    fs.accessSync(nearestFolder(folder), fs.constants.W_OK | fs.constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function nearestFolder(folder: string): string {
  for (let at = path.resolve(folder); ; at = path.dirname(at))
    if (fs.existsSync(at) || path.dirname(at) === at) return at;
}
