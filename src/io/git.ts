import { DocketError } from '../errors.ts';
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
  const said = stderr.trim().split('\n').at(-1) ?? '';
  const message = `git ${args[0] ?? ''} failed in ${cwd}: ${said}`;
  throw new DocketError('IO', message, 'run the same by hand to see more', { path: cwd });
}

/** The same where a failure is an answer. */
export function tryGit(cwd: string, args: readonly string[], options: GitOptions = {}): Promise<ShortRun> {
  // The variables with which git points at another repository must not reach it: a hook may have started us.
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  const { env, config = {}, ...more } = options;
  // An agent that may write to the repository must not choose what we run: a file watcher is a program.
  const argv = ['git', '-c', 'core.fsmonitor=false', ...args];
  return shortRun(argv, {
    env: { ...own, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C', ...settings(config), ...env },
    cwd,
    timeoutMs: longestMs,
    ...more,
  });
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
