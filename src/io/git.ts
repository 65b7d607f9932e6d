import path from 'node:path';
import { DocketError } from '../errors.ts';
import { isFull } from './disk-use.ts';
import { findUp, isDirectory } from './find-up.ts';
import { workTreeOption } from './git-work-tree.ts';
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
