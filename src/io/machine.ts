import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { codeOf } from './io-error.ts';

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

/** Why nothing can be made in a folder. */
export interface Barred {
  /** The one that bars it: the nearest that is there. */
  folder: string;
  why: 'mode' | 'owner' | 'read-only';
}

/** What bars us from making something in this folder, or where it would be made. Nothing is written. */
export function barredBy(wanted: string): Barred | undefined {
  const folder = nearestFolder(wanted);
  try {
    fs.accessSync(folder, fs.constants.W_OK | fs.constants.X_OK);
    return undefined;
  } catch (error) {
    const isMine = fs.statSync(folder).uid === process.getuid?.();
    return { folder, why: codeOf(error) === 'EROFS' ? 'read-only' : isMine ? 'mode' : 'owner' };
  }
}

function nearestFolder(folder: string): string {
  for (let at = path.resolve(folder); ; at = path.dirname(at))
    if (fs.existsSync(at) || path.dirname(at) === at) return at;
}
