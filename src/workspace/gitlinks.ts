import path from 'node:path';
import { listDir, readBytes } from '../io/files.ts';
import { git } from '../io/git.ts';
import { exists, isRealFolder, realFolder } from '../io/links.ts';
import { readSmallFile } from '../io/plain-file.ts';
import { asText, parts } from './bytes.ts';

/** A name in an index that stands for another repository, and has a folder with something in it. */
export interface Gitlink {
  /** From the top of the work tree. */
  path: string;
  folder: string;
  /**
   * Its name among the submodules, where git itself keeps it. Absent: whoever put it there wrote its settings too, and
   * nobody runs git in it.
   */
  module?: string;
}

/** The repositories below a folder that its index names. */
export async function gitlinksIn(cwd: string): Promise<Gitlink[]> {
  const place = placeOf(realFolder(cwd));
  if (!place || !mayHaveLinks(place.gitDir)) return [];
  const listed = await git(cwd, ['ls-files', '--stage', '-z', '--full-name'], { bytes: true });
  const entries = parts(listed).filter((entry) => entry.startsWith('160000 '));
  const names = new Set(entries.map((entry) => asText(entry.slice(entry.indexOf('\t') + 1))));
  return [...names].flatMap((name) => {
    const folder = path.join(place.top, name);
    if (!isRealFolder(folder) || listDir(folder).length === 0) return [];
    const module = moduleAt(folder, place.gitDir);
    return { path: name, folder, ...(module !== undefined && { module }) };
  });
}

/** Everything but these, which git would look into by itself. */
export function allBut(names: readonly string[]): string[] {
  return ['--', ':/', ...names.map((name) => `:(top,exclude,literal)${name.replace(/\/$/, '')}`)];
}

/** By its files, without asking git. */
function placeOf(folder: string): { top: string; gitDir: string } | undefined {
  const at = path.join(folder, '.git');
  if (isRealFolder(at)) return { top: folder, gitDir: at };
  const gitDir = pointedTo(folder);
  if (gitDir !== undefined) return { top: folder, gitDir };
  const above = path.dirname(folder);
  return above === folder ? undefined : placeOf(above);
}

function pointedTo(folder: string): string | undefined {
  const pointer = /^gitdir: ([^\n]+)\n*$/.exec(readSmallFile(path.join(folder, '.git')) ?? '')?.[1];
  const dir = pointer === undefined ? undefined : path.resolve(folder, pointer);
  return dir !== undefined && exists(dir) ? realFolder(dir) : undefined;
}

/** One that borrows its settings from elsewhere is not where git put it. */
function moduleAt(folder: string, gitDir: string): string | undefined {
  const dir = pointedTo(folder);
  const base = path.join(gitDir, 'modules') + path.sep;
  const isThere = dir?.startsWith(base) && exists(path.join(dir, 'HEAD'));
  return dir !== undefined && isThere && !exists(path.join(dir, 'commondir'))
    ? dir.slice(base.length)
    : undefined;
}

const mode = Buffer.from([0, 0, 0o160000 >> 8, 0]);

/** By the bytes of the index, so that git need not be asked about most: an entry has its mode in it as a number. */
function mayHaveLinks(gitDir: string): boolean {
  const isSplit = (): boolean => listDir(gitDir).some((name) => name.startsWith('sharedindex.'));
  return readBytes(path.join(gitDir, 'index'))?.includes(mode) === true || isSplit();
}
