import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { around } from './fault.ts';
import { attempt, codeOf, ioError } from './io-error.ts';

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

/**
 * Puts a copy of a file or link into the place of another: readers see the old or the new one, never a part. The right to
 * execute comes with it; the other rights of a file that was there stay. `half`: a name of docket's own for what is not
 * whole yet, so that a kill leaves nothing in people's folders.
 */
export function placeVersion(from: string, to: string, half: string): void {
  attempt('write', to, () => {
    const moved = (at: string): void => {
      fs.rmSync(at, { force: true });
      const stat = fs.lstatSync(from);
      if (stat.isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(from, 'buffer'), at);
      else {
        fs.copyFileSync(from, at, fs.constants.COPYFILE_EXCL | fs.constants.COPYFILE_FICLONE);
        fs.chmodSync(at, modeFor(stat.mode, to));
      }
      around('rename', to, () => fs.renameSync(at, to));
    };
    try {
      moved(half);
    } catch (error) {
      if (codeOf(error) !== 'EXDEV') throw error;
      fs.rmSync(half, { force: true });
      moved(path.join(path.dirname(to), `.${path.basename(to)}.docket-tmp`));
    }
  });
}

/** Everybody who may read a program may execute it. */
function modeFor(mode: number, to: string): number {
  const there = fs.lstatSync(to, { throwIfNoEntry: false });
  const rights = there?.isFile() ? there.mode & 0o666 : mode & 0o666;
  return mode & 0o100 ? rights | ((rights & 0o444) >> 2) : rights;
}

/** Removes a file or link; a missing one is no error. */
export function removeName(file: string): void {
  attempt('remove', file, () => around('unlink', file, () => fs.rmSync(file, { force: true })));
}

/** Moves a file or folder if the target does not exist. False: the target exists, or is on another disk. */
export function moveUnlessThere(from: string, to: string): boolean {
  if (fs.lstatSync(to, { throwIfNoEntry: false })) return false;
  try {
    fs.mkdirSync(path.dirname(to), { recursive: true });
    around('rename', to, () => fs.renameSync(from, to));
    return true;
  } catch (error) {
    if (['EXDEV', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'ENOENT'].includes(codeOf(error) ?? '')) return false;
    throw ioError(error, 'move', to);
  }
}
