import { command, fix } from '../../errors/command.ts';
import { shellWord } from '../../errors/shell-word.ts';
import { tryGit } from '../../io/git.ts';
import type { Project } from '../../settings/project.ts';
import { gitState } from '../init/git-state.ts';
import { ok, problem, type Check, type Seen } from './check.ts';
import { installed, openAt } from './remedy.ts';

export const gitChecks: readonly Check[] = [
  { name: 'git', look: gitProgram },
  { name: 'repository', look: repository },
];

/** What `docket merge` is made with came with it. */
const least = [2, 38] as const;

async function gitProgram({ root, env }: Project): Promise<Seen[]> {
  const { code, stdout } = await tryGit(root, ['--version']);
  if (code !== 0)
    return [
      problem('bad', 'git is not on PATH, and docket works with it', {
        fix: 'install it with your package manager',
        command: installed('git', env),
      }),
    ];
  return [gitVersion(stdout, env), ...(await identity(root))];
}

export function gitVersion(said: string, env: Project['env']): Seen {
  const [version = '', major, minor] = /(\d+)\.(\d+)[\w.]*/.exec(said) ?? [];
  const isOld = Number(major) < least[0] || (Number(major) === least[0] && Number(minor) < least[1]);
  if (version !== '' && !isOld) return ok(`git ${version}`);
  const told = version === '' ? 'its version cannot be read' : `git ${version} is old`;
  return problem('warn', fix`${told}: ${command`merge`} needs ${least.join('.')} or newer`.text, {
    fix: 'update git',
    command: installed('git', env),
  });
}

async function identity(root: string): Promise<Seen[]> {
  const missing: string[] = [];
  for (const key of ['user.name', 'user.email'])
    if ((await tryGit(root, ['config', '--get', key])).code !== 0) missing.push(key);
  if (missing.length === 0) return [ok('git knows who you are')];
  return missing.map((key) =>
    problem('warn', `git does not know your ${key}: docket commits as docket@localhost`, {
      fix: 'tell it',
      command: `git config --global ${key} ${key === 'user.name' ? '"Your Name"' : 'you@example.com'}`,
    }),
  );
}

async function repository({ root }: Project): Promise<Seen[]> {
  const git = await gitState(root);
  if (git.state === 'missing') return [];
  if (git.state === 'none')
    return [
      problem('warn', 'it is no git repository: no workspaces, diffs or merges', {
        where: root,
        fix: 'make it one',
        command: 'git init',
      }),
    ];
  if (git.state === 'refused')
    return [
      problem('bad', `git refuses to work here: ${git.why}`, { where: root, ...whenRefused(git.why, root) }),
    ];
  if (!git.hasCommit)
    return [
      problem('warn', 'there is no commit yet, and workspaces are made from one', {
        where: git.top,
        fix: 'make a first one',
        command: 'git add . && git commit --allow-empty -m "Begin"',
      }),
    ];
  if (git.busy !== undefined)
    return [
      problem('warn', `a ${git.busy} is half done: nothing can be merged`, {
        where: git.top,
        fix: `finish it (git status says what is left), or: git ${git.busy} --abort`,
        command: `git ${git.busy} --continue`,
      }),
    ];
  if (git.branch === undefined)
    return [
      problem('warn', 'no branch is checked out: tasks begin at this commit, and nothing can be merged', {
        where: git.top,
        fix: 'check one out, or set baseBranch in .docket/config.yaml',
        command: await toBranch(root),
      }),
    ];
  return [ok(`a repository on branch ${git.branch}`)];
}

export function whenRefused(why: string, root: string): { fix: string; command: string } {
  if (why.includes('dubious ownership'))
    return {
      fix: 'it is of another user: say that you trust it',
      command: `git config --global --add safe.directory ${shellWord(root)}`,
    };
  const [, line, file] = /bad config line (\d+) in file (\S+)/.exec(why) ?? [];
  const at = file === undefined ? openAt('.git/config') : openAt(file, Number(line));
  return { fix: 'mend what it names', command: at };
}

/** One that stands here already, or one of its own: then no commit is lost. */
async function toBranch(root: string): Promise<string> {
  const here = await tryGit(root, ['branch', '--points-at', 'HEAD', '--format=%(refname:lstrip=2)']);
  const name = here.stdout.split('\n').find((one) => one !== '' && !one.startsWith('('));
  return name === undefined ? 'git switch -c work' : `git switch ${shellWord(name)}`;
}
