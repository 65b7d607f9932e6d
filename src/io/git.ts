import path from 'node:path';
import { DocketError } from '../errors.ts';
import { isFull } from './disk.ts';
import { readBytes } from './files.ts';
import { findUp, isDirectory } from './find-up.ts';
import { exists } from './links.ts';
import { shortRun, type ShortRun } from './short-run.ts';

const longestMs = 120_000;

interface GitOptions {
  env?: Readonly<Record<string, string>>;
  input?: string;
  bytes?: boolean;
  /** Settings over those of all files. Their names may hold anything, which `-c` could not tell from the value. */
  config?: Readonly<Record<string, string>>;
  /** 0: as long as it takes. */
  timeoutMs?: number;
}

/** Runs git in a folder, without anybody's prompts or pagers. */
export async function git(cwd: string, args: readonly string[], options: GitOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await tryGit(cwd, args, options);
  if (code === 0) return stdout;
  if (code === 127 && isDirectory(cwd)) throw noGit();
  const said = stderr.trim().split('\n').at(-1) ?? '';
  const message = `git ${args[0] ?? ''} failed in ${cwd}: ${said}`;
  if (/not a git repository/.test(stderr)) throw noRepository(cwd);
  const command = `git -C ${cwd} ${args[0] ?? ''}`;
  throw new DocketError('IO', message, `run it by hand to see more: ${command}`, { path: cwd });
}

function noGit(): DocketError {
  const fix = 'install it with your package manager, for example: apt-get install git';
  return new DocketError('NOT_FOUND', 'git is not on PATH, and docket works with it', fix, {
    program: 'git',
  });
}

function noRepository(cwd: string): DocketError {
  const fix = 'make it one ("git init", then a first commit), or name another folder with --root';
  return new DocketError('REFUSED', `${cwd} is no git repository`, fix, { path: cwd });
}

/** The same where a failure is an answer. */
export async function tryGit(
  cwd: string,
  args: readonly string[],
  options: GitOptions = {},
): Promise<ShortRun> {
  return unlessFull(await shortRun(wordsOf(cwd, args, options), optionsFor(cwd, options)), cwd);
}

/** A full disk is no answer, and no fault of the repository. Not every failure of git that comes of it says so. */
function unlessFull(ran: ShortRun, cwd: string): ShortRun {
  if (ran.code === 0) return ran;
  if (!/No space left on device|Disk quota exceeded/.test(ran.stderr) && !isFull(cwd)) return ran;
  const fix = 'free some space (df -h shows where) and run the command again';
  throw new DocketError('DISK_FULL', `git cannot write in ${cwd}: the disk is full`, fix, { path: cwd });
}

/**
 * Calls one after the other until one fails, in one shell: a big process takes far longer to start a program than a
 * small one does. Everything comes to the shell as a parameter. What `input` holds is for the one that reads it.
 */
export async function tryGitInTurn(
  cwd: string,
  calls: readonly (readonly string[])[],
  options: GitOptions = {},
): Promise<ShortRun> {
  const all = calls.map((args) => wordsOf(cwd, args, options));
  let at = 0;
  const script = all.map((words) => words.map(() => `"\${${(at += 1)}}"`).join(' ')).join(' && ');
  return unlessFull(
    await shortRun(['/bin/sh', '-c', script, 'sh', ...all.flat()], optionsFor(cwd, options)),
    cwd,
  );
}

/**
 * An agent that may write to the repository must not choose what we run: a file watcher is a program, and in a submodule
 * git obeys that one's settings.
 */
const always = ['-c', 'core.fsmonitor=false', '-c', 'submodule.recurse=false'];

function wordsOf(cwd: string, args: readonly string[], { env }: GitOptions): string[] {
  const workTree = env?.['GIT_DIR'] === undefined ? workTreeOption(cwd, args) : [];
  return ['git', ...always, ...workTree, ...args];
}

function optionsFor(cwd: string, { env, config = {}, ...more }: GitOptions) {
  // The variables with which git points at another repository must not reach it: a hook may have started us.
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  return {
    env: {
      ...own,
      GIT_TERMINAL_PROMPT: '0',
      // An agent could make a commit look like another one in its clone (git replace), and hide what it changed.
      GIT_NO_REPLACE_OBJECTS: '1',
      LC_ALL: 'C',
      ...settings(config),
      ...(env?.['GIT_DIR'] === undefined && itsOwn(cwd)),
      ...env,
    },
    cwd,
    timeoutMs: longestMs,
    ...more,
  };
}

/**
 * A repository with a folder of its own is no part of another. Where somebody wrote into it that it is, git would obey the
 * other's settings.
 */
function itsOwn(cwd: string): Record<string, string> {
  const dir = borrowedAt(cwd);
  return dir === undefined ? {} : { GIT_COMMON_DIR: dir };
}

/** The folder of a repository that says it is a part of another. */
export function borrowedAt(cwd: string): string | undefined {
  const dir = path.join(findUp(cwd, ['.git']) ?? cwd, '.git');
  return exists(path.join(dir, 'commondir')) ? dir : undefined;
}

function settings(config: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(config);
  const pairs = entries.flatMap(([key, value], at): [string, string][] => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return entries.length === 0
    ? {}
    : { GIT_CONFIG_COUNT: String(entries.length), ...Object.fromEntries(pairs) };
}

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
