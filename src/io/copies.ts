import fs from 'node:fs';
import path from 'node:path';
import { attempt, codeOf } from './io-error.ts';

/** Copies a file with its mode, or a link as a link. Nothing is ever replaced. False: there is something already. */
export function copyUnlessThere(from: string, to: string): boolean {
  return attempt('copy', from, () => {
    fs.mkdirSync(path.dirname(to), { recursive: true });
    try {
      if (fs.lstatSync(from).isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(from), to);
      else fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL | fs.constants.COPYFILE_FICLONE);
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    }
  });
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
