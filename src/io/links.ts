import fs from 'node:fs';
import path from 'node:path';
import { attempt, codeOf, ioError } from './io-error.ts';

export function exists(file: string): boolean {
  return fs.existsSync(file);
}

/** Whatever has that name already stays, a link that leads nowhere included. */
export function linkUnlessThere(target: string, name: string): void {
  try {
    fs.symlinkSync(target, name);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw ioError(error, 'link', name);
  }
}

/** A copy that is there whole or not at all. False: something has that name already. Links inside stay links. */
export function copyFolder(from: string, to: string, edit: (folder: string) => void): boolean {
  if (fs.existsSync(to)) return false;
  const temp = path.join(path.dirname(to), `.${path.basename(to)}.${process.pid}.docket-tmp`);
  try {
    attempt('copy', from, () => fs.cpSync(from, temp, { recursive: true, verbatimSymlinks: true }));
    edit(temp);
    attempt('create', to, () => fs.renameSync(temp, to));
    return true;
  } finally {
    fs.rmSync(temp, { recursive: true, force: true });
  }
}

/** For what may hold a secret: nobody else may read it, and no link that was planted at that name is followed. */
export function writePrivate(file: string, content: string): void {
  attempt('write', file, () => {
    fs.rmSync(file, { force: true });
    fs.writeFileSync(file, content, { mode: 0o600, flag: 'wx' });
  });
}

const noLink = ['EINVAL', 'ENOENT', 'ENOTDIR', 'ENAMETOOLONG'];

/** Where a link leads, as it is written. Undefined: there is no link. */
export function linkAt(root: string, name: string): string | undefined {
  const file = path.join(root, name);
  try {
    return fs.readlinkSync(file);
  } catch (error) {
    if (noLink.includes(codeOf(error) ?? '')) return undefined;
    throw ioError(error, 'look at', file);
  }
}

/** Of the name itself: a link counts, wherever it leads. */
export function isFileOrLink(file: string): boolean {
  const stat = attempt('look at', file, () => fs.lstatSync(file, { throwIfNoEntry: false }));
  return stat !== undefined && (stat.isFile() || stat.isSymbolicLink());
}

/** A folder at the end of a way without links. A way that leads through a file leads to none: `.git` may be one. */
export function isRealFolder(folder: string): boolean {
  return attempt('look at', folder, () => {
    try {
      return fs.lstatSync(folder).isDirectory() && fs.realpathSync(folder) === folder;
    } catch (error) {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return false;
      throw error;
    }
  });
}

/** The path without links. One through `/proc/<pid>/root` stays: Node resolves that link in the wrong file system. */
export function realFolder(folder: string): string {
  return attempt('look at', folder, () => {
    const wanted = fs.statSync(folder);
    try {
      const real = fs.realpathSync(folder);
      const { dev, ino } = fs.statSync(real);
      if (dev === wanted.dev && ino === wanted.ino) return real;
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
    }
    return path.resolve(folder);
  });
}

/** What a name stands for, as git sees it: the content of a file and the right to execute it, or where a link leads. */
export function contentOf(file: string): [kind: string, content: string] {
  return attempt('read', file, () => {
    const stat = fs.lstatSync(file);
    if (stat.isSymbolicLink()) return ['link', fs.readlinkSync(file, 'latin1')];
    return [stat.mode & 0o100 ? 'program' : 'file', fs.readFileSync(file, 'latin1')];
  });
}
