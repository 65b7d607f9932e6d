import fs from 'node:fs';
import path from 'node:path';
import { around } from './fault.ts';
import { attempt, codeOf, ioError } from './io-error.ts';

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
