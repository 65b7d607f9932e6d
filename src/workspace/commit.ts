import path from 'node:path';
import { DocketError } from '../errors.ts';
import { removeFile } from '../io/files.ts';
import { git, tryGit } from '../io/git.ts';
import { standingIn } from '../io/process/standing-in.ts';
import { harmless, uncommittedIn } from './commit-status.ts';
import { gitDirOf } from './prepare-place.ts';

export interface CommitInput {
  cwd: string;
  message: string;
  branch: string;
  /** The user's hooks are run. */
  hooks?: boolean;
}

export interface Committed {
  /** What the branch stands at now. */
  commit: string;
  /** There was nothing to commit: it was all committed, or nothing was done. */
  nothing?: true;
  /** Repositories in it that are no submodules; they stay where they are. */
  left?: string[];
}

/** Used where git knows nobody. */
const nobody = { 'user.name': 'docket', 'user.email': 'docket@localhost' };

/** Commits everything that git does not ignore, and only on this branch. */
export async function commitWork({ cwd, message, branch, hooks = false }: CommitInput): Promise<Committed> {
  const config = await harmless(cwd);
  const found = await uncommittedIn(cwd, config);
  if (found.branch !== branch) throw elsewhere(cwd, branch, found.branch);
  if (found.unmerged.length > 0) throw unmerged(cwd, found.unmerged);
  const left = found.repositories.length > 0 ? { left: found.repositories } : {};
  if (found.paths.length === 0) return { commit: found.head, nothing: true, ...left };
  const text = message.trim() === '' ? 'docket: work' : message;
  for (const module of found.modules) await commitAll(path.join(cwd, module), text, [], hooks);
  const commit = await commitAll(cwd, text, found.repositories, hooks, config);
  return { commit, ...(commit === found.head && { nothing: true }), ...left };
}

/** Returns the commit that it stands at then. */
async function commitAll(
  cwd: string,
  text: string,
  left: readonly string[],
  hooks: boolean,
  known?: Readonly<Record<string, string>>,
): Promise<string> {
  // Nobody waits for housekeeping here: a workspace is short-lived.
  const config: Record<string, string> = { ...(known ?? (await harmless(cwd))), 'maintenance.auto': 'false' };
  if (hooks) delete config['core.hooksPath'];
  const except = left.map((name) => `:(top,exclude,literal)${name.slice(0, -1)}`);
  await unlocked(cwd, () => tryGit(cwd, ['add', '--all', '--', ':/', ...except], { config, timeoutMs: 0 }));
  const args = ['commit', '--quiet', '--no-gpg-sign', ...(hooks ? [] : ['--no-verify']), '--file=-'];
  const first = await tryGit(cwd, args, { input: text, config });
  if (first.code !== 0 && /identity|ident name|tell me who you are|auto-detect/i.test(first.stderr))
    await git(cwd, args, { input: text, config: { ...config, ...nobody } });
  else if (first.code !== 0 && !/nothing (added )?to commit/.test(first.stdout))
    throw new DocketError(
      'IO',
      `git commit failed in ${cwd}: ${first.stderr.trim().split('\n').at(-1) ?? ''}`,
      'run the same by hand to see more',
      { path: cwd },
    );
  return (await git(cwd, ['rev-parse', 'HEAD'])).trim();
}

/** An agent's git that was ended leaves its lock. Where nobody is at work any more, it is nobody's. */
async function unlocked(cwd: string, run: () => ReturnType<typeof tryGit>): Promise<void> {
  let { code, stderr } = await run();
  if (code !== 0 && /index\.lock/.test(stderr) && standingIn(cwd).length === 0) {
    removeFile(path.join(await gitDirOf(cwd), 'index.lock'));
    ({ code, stderr } = await run());
  }
  if (code === 0) return;
  const said = stderr.trim().split('\n').at(-1) ?? '';
  throw new DocketError('IO', `git add failed in ${cwd}: ${said}`, 'run "git add --all" there to see more', {
    path: cwd,
  });
}

function elsewhere(cwd: string, branch: string, is: string): DocketError {
  const where = is === '' ? 'no branch at all' : `the branch "${is}"`;
  return new DocketError(
    'REFUSED',
    `nothing was committed: ${cwd} stands on ${where}, and the task's is "${branch}"`,
    `look at what was done there, bring it onto ${branch} ("git switch ${branch}") and run the task again`,
    { path: cwd, branch, is },
  );
}

function unmerged(cwd: string, files: readonly string[]): DocketError {
  return new DocketError(
    'REFUSED',
    `nothing was committed: a merge in ${cwd} was left undone in ${files.slice(0, 10).join(', ')}`,
    'resolve these files there, or run the task again',
    { path: cwd, files },
  );
}
