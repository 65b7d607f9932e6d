import path from 'node:path';
import { readBytes } from './files.ts';
import { isDirectory } from './find-up.ts';
import { exists } from './links.ts';

/** Commands that make a repository, or only move objects and refs: a named work tree breaks them or changes nothing. */
const withoutWorkTree = new Set(['clone', 'init', 'worktree', 'fetch', 'push', 'pack-objects']);

/**
 * The option that names the work tree of a call, where the repository's settings could name another one. An agent that
 * sets `core.worktree` in its clone would otherwise have docket commit the files of any folder it likes.
 */
export function workTreeOption(cwd: string, args: readonly string[]): string[] {
  const { folder, command } = targetOf(cwd, args);
  if (command === undefined || withoutWorkTree.has(command)) return [];
  const top = namedWorkTree(folder);
  return top === undefined ? [] : [`--work-tree=${top}`];
}

/** The work tree that a folder is in, where the settings of its repository mention one; undefined: git finds it. */
export function namedWorkTree(cwd: string): string | undefined {
  // The same search as git's: an agent can plant a "HEAD", an "objects" or an empty ".git" anywhere below its clone.
  for (let folder = path.resolve(cwd); ; folder = path.dirname(folder)) {
    const dotGit = path.join(folder, '.git');
    const isTop = isDirectory(dotGit) ? isRepository(dotGit) : exists(dotGit);
    if (isTop) return settingsOf(dotGit).some((config) => mentions(word, config)) ? folder : undefined;
    // The folder of a repository itself, such as a bare one, has no work tree, unless somebody gave it one.
    if (isRepository(folder)) return hasWorkTreeSet(folder) ? folder : undefined;
    if (folder === path.dirname(folder)) return undefined;
  }
}

/** What git takes for a repository. */
function isRepository(folder: string): boolean {
  const hasParts = ['objects', 'refs'].every((name) => isDirectory(path.join(folder, name)));
  if (!hasParts && !exists(path.join(folder, 'commondir'))) return false;
  return /^(?:ref:\s*refs\/|[\da-f]{40})/.test(textIn(path.join(folder, 'HEAD')));
}

function targetOf(cwd: string, args: readonly string[]): { folder: string; command?: string | undefined } {
  let folder = cwd;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (word === '-C') folder = path.resolve(folder, args[(at += 1)] ?? '.');
    else if (word === '-c') at += 1;
    else if (word.startsWith('--git-dir') || word.startsWith('--work-tree')) return { folder };
    else if (!word.startsWith('-')) return { folder, command: word };
  }
  return { folder };
}

/** A linked work tree and a submodule have a file that says where their repository is. */
function settingsOf(dotGit: string): string[] {
  const pointer = /^gitdir: (.+)$/m.exec(textIn(dotGit))?.[1];
  const gitDir = pointer === undefined ? dotGit : path.resolve(path.dirname(dotGit), pointer);
  const common = textIn(path.join(gitDir, 'commondir')).trim();
  const folders = common === '' ? [gitDir] : [gitDir, path.resolve(gitDir, common)];
  return folders.map((folder) => path.join(folder, 'config'));
}

/** Bare repositories with linked work trees have `extensions.worktreeConfig`, and must stay bare. */
function hasWorkTreeSet(gitDir: string): boolean {
  const configs = [...settingsOf(gitDir), path.join(gitDir, 'config.worktree')];
  return configs.some((config) => mentions(setting, config));
}

/** The word cannot be written in another way, and git looks into no included file for this setting. */
const word = /worktree/i;
const setting = /worktree[ \t]*=/i;

function mentions(pattern: RegExp, config: string): boolean {
  try {
    return pattern.test(readBytes(config)?.toString('latin1') ?? '');
  } catch {
    return true; // a file that cannot be read is not known to be harmless
  }
}

/** '' for a file that cannot be read: git itself then fails and reports why. */
function textIn(file: string): string {
  try {
    return readBytes(file)?.toString('latin1') ?? '';
  } catch {
    return '';
  }
}
