import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { attempt, codeOf } from './io-error.ts';

/**
 * Copies a file with its mode, or a link as a link. Nothing is ever replaced, and nothing is ever there in part. False:
 * there is something already.
 */
export function copyUnlessThere(from: string, to: string): boolean {
  return attempt('copy', from, () => {
    fs.mkdirSync(path.dirname(to), { recursive: true });
    if (fs.lstatSync(from).isSymbolicLink())
      return unlessThere(() => fs.symlinkSync(fs.readlinkSync(from), to));
    const half = halfOf(to);
    fs.rmSync(half, { force: true });
    try {
      fs.copyFileSync(from, half, fs.constants.COPYFILE_EXCL | fs.constants.COPYFILE_FICLONE);
      return unlessThere(() => fs.linkSync(half, to));
    } finally {
      fs.rmSync(half, { force: true });
    }
  });
}

/** The same for the same target: what a copy left that was cut off, the next one takes away. */
function halfOf(to: string): string {
  const hash = createHash('sha256').update(path.basename(to)).digest('hex').slice(0, 16);
  return path.join(path.dirname(to), `.docket-copy-${hash}.tmp`);
}

function unlessThere(make: () => void): boolean {
  try {
    make();
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Of the name itself. A link has the place that it leads to. */
export function kindOfName(
  file: string,
): { kind: 'file' | 'folder' | 'other' } | { kind: 'link'; to: string } | undefined {
  const stat = attempt('look at', file, () => fs.lstatSync(file, { throwIfNoEntry: false }));
  if (stat === undefined) return undefined;
  if (stat.isSymbolicLink()) return { kind: 'link', to: fs.readlinkSync(file) };
  return { kind: stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'other' };
}
