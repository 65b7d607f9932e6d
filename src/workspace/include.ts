import path from 'node:path';
import { DocketError } from '../errors.ts';
import { copyUnlessThere, kindOfName } from '../io/copies.ts';
import { readBytes, replaceFile } from '../io/files.ts';
import { git, tryGit } from '../io/git.ts';
import { placeInside } from '../io/inside.ts';
import { exists } from '../io/links.ts';
import { readTextFile } from '../io/text-file.ts';
import { asText, joinParts, parts } from './bytes.ts';

const listName = '.worktreeinclude';
const mostFiles = 20_000;

/**
 * Copies what git ignores and people want in every workspace (`.env`, say): the lines of `.worktreeinclude`, and
 * `patterns`, are written as in `.gitignore`. Nothing is replaced, nothing comes out of another repository or out of
 * what a package manager made, and no link leads out of the root.
 */
export async function includeIgnored(
  root: string,
  cwd: string,
  patterns: readonly string[] = [],
): Promise<string[]> {
  const list = path.join(root, listName);
  const listed = readTextFile(list, 1024 * 1024) === undefined ? [] : [`--exclude-from=${list}`];
  const rules = [...listed, ...patterns.map((pattern) => `--exclude=${pattern}`)];
  if (rules.length === 0) return [];
  const args = ['ls-files', '-z', '--others', '--ignored', ...rules];
  const isOutside = boundaries(root);
  const found = parts(await git(root, args, { bytes: true }));
  const named = found.filter((name) => !name.startsWith('.docket/') && !isOutside(asText(name)));
  if (named.length === 0) return [];
  // A file that git does not ignore would be committed by accident.
  const asked = { bytes: true, input: joinParts(named) };
  const ignored = parts((await tryGit(root, ['check-ignore', '-z', '--stdin'], asked)).stdout).map(asText);
  if (ignored.length > mostFiles)
    throw new DocketError(
      'TOO_LARGE',
      `${listName} and setup.copy mean ${ignored.length} files; ${mostFiles} are copied at the most`,
      'name fewer: a command of setup.commands can make the rest',
      { path: list },
    );
  return ignored.filter((name) => copied(root, cwd, name));
}

function copied(root: string, cwd: string, name: string): boolean {
  const from = path.join(root, name);
  const found = kindOfName(from);
  if (found?.kind === 'link' && !staysInside(root, name, found.to)) return false;
  if (found?.kind !== 'file' && found?.kind !== 'link') return false;
  return copyUnlessThere(from, placeInside(cwd, name));
}

/** A link is copied as it is, so it must mean the same in the copy. */
function staysInside(root: string, name: string, to: string): boolean {
  if (path.isAbsolute(to)) return false;
  const from = path.relative(root, path.resolve(root, path.dirname(name), to));
  return from !== '..' && !from.startsWith(`..${path.sep}`);
}

/** An agent may take a rule out of `.gitignore`: what was copied must still not be committed. */
export function excludeCopied(gitDir: string, prefix: string, names: readonly string[]): void {
  if (names.length === 0) return;
  const lines = names
    .filter((name) => !name.includes('\n'))
    .map((name) => `/${path.posix.join(prefix, name).replaceAll(/[\\*?[\] ]/g, String.raw`\$&`)}`);
  const file = path.join(gitDir, 'info/exclude');
  replaceFile(file, `${readBytes(file)?.toString('utf8') ?? ''}${lines.join('\n')}\n`);
}

/** What package managers make: it is made again by a command, with a cache, and never copied. */
const dependencies = new Set([
  'node_modules',
  'bower_components',
  '.pnpm-store',
  '.venv',
  'venv',
  'site-packages',
  '.tox',
  '.nox',
  'vendor',
  'Pods',
]);

/** Tells whether a name, from the root, lies in another repository or work tree, or among somebody's dependencies. */
function boundaries(root: string): (name: string) => boolean {
  const known = new Map<string, boolean>([['.', false]]);
  const isOutside = (folder: string): boolean => {
    const before = known.get(folder);
    if (before !== undefined) return before;
    const found =
      dependencies.has(path.posix.basename(folder)) ||
      isOutside(path.posix.dirname(folder)) ||
      isRepository(path.join(root, folder));
    known.set(folder, found);
    return found;
  };
  return (name) => isOutside(path.posix.dirname(name));
}

/** A work tree has a `.git`, as a folder or as a file; a bare one is its own. */
function isRepository(folder: string): boolean {
  const has = (name: string): boolean => exists(path.join(folder, name));
  return has('.git') || (has('HEAD') && has('objects') && has('refs'));
}
