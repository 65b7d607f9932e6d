import path from 'node:path';
import { DocketError } from '../errors.ts';
import { removeFile } from '../io/files.ts';
import { borrowedAt, git, tryGit, tryGitInTurn } from '../io/git.ts';
import { standingIn } from '../io/process/standing-in.ts';
import { harmless, type Uncommitted, uncommittedIn } from './commit-status.ts';
import { allBut } from './gitlinks.ts';
import { gitDirOf } from './place.ts';
import { headInFiles } from './ref-files.ts';

interface CommitInput {
  cwd: string;
  message: string;
  branch: string;
  /** The folder with the hooks that are run. Never those of the workspace: an agent may have put them there. */
  hooks?: string;
  /** Calls of git that follow a commit, in the same shell. */
  next?: readonly (readonly string[])[];
}

interface Committed {
  /** What the branch stands at now. */
  commit: string;
  /** The calls that were to follow went well too. */
  followed?: true;
  /** There was nothing to commit: it was all committed, or nothing was done. */
  nothing?: true;
  /** Repositories in it that are no submodules; they stay where they are. */
  left?: string[];
  /** A hook has changed what was to be committed. */
  altered?: true;
}

/** A hook may run the project's tests. */
const longestHookMs = 30 * 60_000;
/** Used where git knows nobody. */
const nobody = { 'user.name': 'docket', 'user.email': 'docket@localhost' };

/** Commits everything that git does not ignore, and only on this branch. */
export async function commitWork({ cwd, message, branch, hooks, next }: CommitInput): Promise<Committed> {
  const config = await harmless(cwd);
  const found = await uncommittedIn(cwd, config);
  if (found.branch !== branch) throw elsewhere(cwd, branch, found.branch);
  if (found.unmerged.length > 0) throw unmerged(cwd, found.unmerged);
  const left = found.repositories.length > 0 ? { left: found.repositories } : {};
  if (found.paths.length === 0) return { commit: found.head, nothing: true, ...left };
  const text = message.trim() === '' ? 'docket: work' : message;
  await commitModules(cwd, text, found);
  const all = { cwd, message: text, config, found };
  const made = await commitAll({ ...all, ...(hooks !== undefined && { hooks }), ...(next && { next }) });
  return { ...made, ...(made.commit === found.head && { nothing: true }), ...left };
}

/** The innermost first: each is a change of the one around it. */
async function commitModules(cwd: string, message: string, { modules }: Uncommitted): Promise<void> {
  for (const module of modules) {
    const inner = path.join(cwd, module);
    const config = await harmless(inner);
    const found = await uncommittedIn(inner, config);
    await commitModules(inner, message, found);
    await commitAll({ cwd: inner, message, config, found });
  }
}

interface All extends Omit<CommitInput, 'branch'> {
  config: Readonly<Record<string, string>>;
  found: Uncommitted;
}

async function commitAll({ cwd, message, config: known, found, hooks, next = [] }: All): Promise<Committed> {
  // Nobody waits for housekeeping here: a workspace is short-lived.
  const config: Record<string, string> = { ...known, 'maintenance.auto': 'false' };
  if (hooks !== undefined) config['core.hooksPath'] = hooks;
  const { head, checkedOut, repositories } = found;
  const inner = [...checkedOut, ...repositories];
  const add = ['add', '--all', ...allBut(inner)];
  const args = [
    'commit',
    '--quiet',
    '--no-gpg-sign',
    ...(hooks === undefined ? ['--no-verify'] : []),
    '--file=-',
  ];
  // What follows is done in another repository: nothing that is set for this one may reach it.
  if (hooks === undefined && inner.length === 0 && borrowedAt(cwd) === undefined) {
    const all = [add, args, ...next];
    const { code } = await tryGitInTurn(cwd, all, { input: message, config, timeoutMs: 0 });
    const commit = headInFiles(path.join(cwd, '.git'));
    if (code === 0) return { commit: commit ?? (await headOf(cwd)), ...(next.length > 0 && followed) };
    if (commit !== undefined && commit !== head) return { commit };
  }
  // One by one, where each may go wrong in its own way.
  await unlocked(cwd, () => tryGit(cwd, add, { config, timeoutMs: 0 }));
  if (checkedOut.length > 0) await git(cwd, ['update-index', '--add', '--', ...checkedOut], { config });
  // With nothing to commit git says what there is, and looks into everything for that.
  const isSame =
    inner.length > 0 && (await tryGit(cwd, ['diff-index', '--cached', '--quiet', 'HEAD'])).code === 0;
  if (isSame) return { commit: await headOf(cwd) };
  const before = hooks === undefined ? undefined : await git(cwd, ['write-tree'], { config });
  const timed = { input: message, ...(hooks !== undefined && { timeoutMs: longestHookMs }) };
  const first = await tryGit(cwd, args, { ...timed, config });
  if (first.code !== 0 && /identity|ident name|tell me who you are|auto-detect/i.test(first.stderr))
    await git(cwd, args, { ...timed, config: { ...config, ...nobody } });
  else if (first.code !== 0 && !/nothing (added )?to commit/.test(first.stdout))
    throw new DocketError(
      'IO',
      `git commit failed in ${cwd}: ${first.stderr.trim().split('\n').at(-1) ?? ''}`,
      'run the same by hand to see more',
      { path: cwd },
    );
  const commit = await headOf(cwd);
  const after = before === undefined ? undefined : await git(cwd, ['rev-parse', `${commit}^{tree}`]);
  return { commit, ...(before?.trim() !== after?.trim() && { altered: true as const }) };
}

const followed = { followed: true } as const;

async function headOf(cwd: string): Promise<string> {
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

/** The folder of the hooks that a person set up for the repository, wherever its settings have it. */
export async function hooksOf(root: string): Promise<string> {
  return path.resolve(root, (await git(root, ['rev-parse', '--git-path', 'hooks'])).replace(/\n$/, ''));
}
