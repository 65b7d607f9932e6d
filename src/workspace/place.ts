import path from 'node:path';
import { DocketError } from '../errors.ts';
import { kindOfName } from '../io/copies.ts';
import { readBytes } from '../io/files.ts';
import { git, tryGit } from '../io/git.ts';
import { exists, isRealFolder, realFolder } from '../io/links.ts';

/** The repository that a root belongs to. */
export interface Source {
  root: string;
  /** Where its objects and branches are, for all work trees of it. */
  common: string;
  isShallow: boolean;
  /** Nothing is special about it: all of it is where it always is, in the form that it always has. */
  isPlain: boolean;
  /** The root's place in its work tree; mostly ''. */
  prefix: string;
}

/** The same without asking git, for a root that is the top of its repository; undefined: it is not, or not so simply. */
export function plainSource(root: string): Source | undefined {
  const common = path.join(root, '.git');
  if (!isRealFolder(common) || !isPlainIn(common) || exists(path.join(common, 'commondir'))) return undefined;
  return { root, common, isShallow: false, isPlain: true, prefix: '' };
}

/** By the words in its settings: one that only looks as if is asked about, which does no harm. */
function isPlainIn(common: string): boolean {
  if (exists(path.join(common, 'shallow')) || !exists(path.join(common, 'HEAD'))) return false;
  const text = readBytes(path.join(common, 'config'))?.toString('latin1');
  return text !== undefined && !/extensions|worktree|bare\s*=\s*[^f\s]|partial|promisor/i.test(text);
}

export async function sourceOf(root: string): Promise<Source> {
  const asked = ['--git-common-dir', '--is-shallow-repository', '--show-prefix'];
  const { code, stdout } = await tryGit(root, ['rev-parse', '--path-format=absolute', ...asked]);
  const [common = '', shallow = '', below = ''] = stdout.split('\n');
  const prefix = below.replace(/\/$/, '');
  const isShallow = shallow === 'true';
  if (code === 0 && common !== '')
    return { root, common, isShallow, isPlain: !isShallow && isPlainIn(common), prefix };
  throw new DocketError(
    'REFUSED',
    `${root} is no git work tree, so there is nothing to make a workspace from`,
    'run "git init" there and commit what there is, or take `worktree` out of the task',
    { path: root },
  );
}

/**
 * Where a task's workspace is. docket's own folder is the default: git ignores it, nothing of anybody's is there, it is on
 * the same disk, and what is installed above it is found. Settings or the task may say another.
 */
export function placeFor(
  { root, dir }: { root: string; dir: string },
  wish: { id: string; path?: string; folder?: string },
): string {
  const base = realFolder(root);
  if (wish.path !== undefined) return resolved(path.resolve(base, wish.path));
  if (wish.folder !== undefined) return path.join(resolved(path.resolve(base, wish.folder)), wish.id);
  return path.join(dir, 'clones', wish.id);
}

/** With the links on its way followed, as far as there is one. */
function resolved(place: string): string {
  if (place.includes('\0')) throw refused(place, 'is no path');
  const parent = path.dirname(place);
  if (parent === place) return place;
  if (exists(parent)) return path.join(realFolder(parent), path.basename(place));
  return path.join(resolved(parent), path.basename(place));
}

/** A path comes from a file that anybody may write: it must be new, and nobody's. */
export function assertFree(place: string, { root, common }: Source): void {
  const inside = (folder: string) => place === folder || place.startsWith(folder + path.sep);
  if (inside(common)) throw refused(place, "is inside of git's own folder");
  const base = realFolder(root);
  if (base === place || base.startsWith(place + path.sep)) throw refused(place, 'holds the project itself');
  const found = kindOfName(place);
  if (found) throw refused(place, `is there already, and is no workspace of this task (a ${found.kind})`);
}

function refused(place: string, problem: string): DocketError {
  return new DocketError(
    'REFUSED',
    `the workspace ${place} ${problem}`,
    'name another, or leave it to docket',
    {
      path: place,
    },
  );
}

/** By file, its content when git was asked, and what it said. */
const told = new Map<string, { text: string; settings: Record<string, string> }>();

/** Settings of the root alone that a copy of it needs: who commits, and how lines end. Asked again when its file is another. */
export async function ownSettings(root: string): Promise<Record<string, string>> {
  const file = path.join(root, '.git/config');
  const text = isRealFolder(path.dirname(file)) ? readBytes(file)?.toString('latin1') : undefined;
  const last = told.get(file);
  if (text !== undefined && last?.text === text) return last.settings;
  const settings = await askedSettings(root);
  if (text !== undefined) told.set(file, { text, settings });
  return settings;
}

async function askedSettings(root: string): Promise<Record<string, string>> {
  const wanted = String.raw`^(user\.(name|email)|core\.(autocrlf|eol))$`;
  const { code, stdout } = await tryGit(root, ['config', '--local', '-z', '--get-regexp', wanted]);
  if (code !== 0) return {}; // none
  const pairs = stdout.split('\0').filter((pair) => pair.includes('\n'));
  return Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf('\n')), pair.slice(pair.indexOf('\n') + 1)]),
  );
}

/** Where a work tree's own git files are. */
export async function gitDirOf(folder: string): Promise<string> {
  return (await git(folder, ['rev-parse', '--absolute-git-dir'])).trim();
}
