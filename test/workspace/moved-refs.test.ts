import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { bringHome } from '../../src/workspace/integrate.ts';
import { commandIn, movedSince, readRefs } from '../../src/workspace/moved-refs.ts';
import { scratch } from '../support/scratch.ts';

function repository() {
  const root = fs.realpathSync(scratch());
  const run = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@e', ...args], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  const commit = (name: string) => {
    fs.writeFileSync(path.join(root, name), name);
    run('add', '--all');
    run('commit', '--quiet', '-m', name);
    return run('rev-parse', 'HEAD');
  };
  run('init', '--quiet', '--initial-branch=main');
  const [first, second] = [commit('a'), commit('b')];
  run('branch', 'side');
  run('tag', 'v1');
  const moved = async (deed: () => unknown, isHeadOurs = false) => {
    const before = await readRefs(root);
    await deed();
    if (!before) throw new Error('no repository');
    const found = await movedSince(root, before, isHeadOurs);
    if (!found) throw new Error('the repository is gone');
    return found;
  };
  return { root, run, commit, first, second, moved };
}

describe('what people do with git meanwhile', () => {
  it.each([
    ['a commit', (repo: Repository) => repo.commit('c'), /^main: .* \(commit: c\)$/],
    ['a reset', (repo: Repository) => repo.run('reset', '--hard', repo.first), /\(reset: moving to/],
    ['a new branch', (repo: Repository) => repo.run('branch', 'new'), /^new is new \(branch: Created/],
    ['a new tag', (repo: Repository) => repo.run('tag', 'v2'), /^tags\/v2 is new/],
    [
      'a merged branch that is deleted',
      (repo: Repository) => repo.run('branch', '-d', 'side'),
      /^side was deleted/,
    ],
    ['a switch', (repo: Repository) => repo.run('switch', 'side'), /^HEAD: main → side \(checkout: moving/],
  ])('%s is reported', async (_name, deed, expected) => {
    const repo = repository();
    const { unexplained, explained } = await repo.moved(() => deed(repo));
    expect(unexplained).toEqual([]);
    expect(explained).toEqual([expect.stringMatching(expected)]);
  });
});

it('commits made at the moment of the check are reported, not called unexplained', async () => {
  const { root, moved } = repository();
  const script = 'for i in $(seq 80); do git commit --quiet --allow-empty -m "$i"; done';
  const env = { ...process.env, GIT_AUTHOR_NAME: 't', GIT_AUTHOR_EMAIL: 't@e' };
  const person = spawn('sh', ['-c', script], {
    cwd: root,
    env: { ...env, GIT_COMMITTER_NAME: 't', GIT_COMMITTER_EMAIL: 't@e' },
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => person.once('exit', resolve));
  while (person.exitCode === null) {
    const { unexplained } = await moved(() => new Promise(setImmediate));
    expect(unexplained).toEqual([]);
  }
  expect(await ended).toBe(0);
});

describe('what no command of theirs explains', () => {
  it.each([
    ['a branch that was set', (repo: Repository) => repo.run('update-ref', 'refs/heads/main', repo.first)],
    ['a tag that was moved', (repo: Repository) => repo.run('tag', '-f', 'v1', repo.first)],
    ['a tag that was deleted', (repo: Repository) => repo.run('tag', '-d', 'v1')],
    ['HEAD that was set', (repo: Repository) => repo.run('symbolic-ref', 'HEAD', 'refs/heads/side')],
    ['an object that was replaced', (repo: Repository) => repo.run('replace', repo.second, repo.first)],
    [
      'a ref that was written as a file',
      (repo: Repository) => fs.writeFileSync(path.join(repo.root, '.git/refs/heads/side'), `${repo.first}\n`),
    ],
    [
      'a branch that was pushed from elsewhere',
      (repo: Repository) => {
        const clone = path.join(scratch(), 'clone');
        repo.run('clone', '--quiet', repo.root, clone);
        repo.run('-C', clone, 'commit', '--quiet', '--allow-empty', '-m', 'evil');
        repo.run('-C', clone, 'push', '--quiet', 'origin', 'HEAD:side');
      },
    ],
    [
      'a branch whose commits are nowhere else',
      (repo: Repository) => {
        repo.run('update-ref', '-d', 'refs/heads/lonely');
      },
    ],
  ])('%s', async (_name, deed) => {
    const repo = repository();
    repo.run('branch', 'lonely', repo.run('commit-tree', '-m', 'x', `${repo.first}^{tree}`));
    const { unexplained, explained } = await repo.moved(() => deed(repo));
    expect(unexplained).toHaveLength(1);
    expect(explained).toEqual([]);
  });
});

it('docket’s own branches are nobody’s doing', async () => {
  const { root, run, second, moved } = repository();
  const clone = path.join(fs.realpathSync(scratch()), 'clone');
  run('branch', 'takt/x');
  run('clone', '--quiet', '--branch=takt/x', root, clone);
  run('-C', clone, 'commit', '--quiet', '--allow-empty', '-m', 'work');
  const plan = { kind: 'clone', path: clone, branch: 'takt/x', baseCommit: second } as const;
  const home = await moved(() => bringHome(root, 't1', plan));
  expect(home).toEqual({ unexplained: [], explained: [] });
  const removed = await moved(() => {
    run('update-ref', '-d', 'refs/docket/tasks/t1');
    run('update-ref', '-d', 'refs/heads/takt/x');
  });
  expect(removed).toEqual({ unexplained: [], explained: [] });
});

it('the branch of HEAD is left out where it is the task’s own place', async () => {
  const { run, moved } = repository();
  expect(await moved(() => run('switch', 'side'), true)).toEqual({ unexplained: [], explained: [] });
});

it('a HEAD without a branch that moves is noticed', async () => {
  const { root, run, first, moved } = repository();
  run('switch', '--quiet', '--detach');
  const set = await moved(() => run('update-ref', '--no-deref', 'HEAD', first));
  expect(set.unexplained).toEqual([expect.stringMatching(/^HEAD: [0-9a-f]{40} → [0-9a-f]{40}$/)]);
  run('config', 'extensions.worktreeConfig', 'true'); // git is asked then
  expect((await readRefs(root))?.head).toBe(first);
});

it('git’s files and git itself say the same', async () => {
  const { root, run, commit } = repository();
  run('tag', '-a', '-m', 'x', 'v2');
  run('branch', 'deep/er/branch');
  run('pack-refs', '--all');
  commit('c'); // main is in the list, and newer in a file of its own
  run('branch', '-D', 'side');
  run('update-ref', 'refs/docket/tasks/t1', 'HEAD');
  fs.writeFileSync(path.join(root, '.git/refs/heads/x.lock'), '');
  fs.mkdirSync(path.join(root, 'below'));
  const byFiles = await readRefs(root);
  expect([...(byFiles?.refs.keys() ?? [])].toSorted()).toEqual([
    'refs/heads/deep/er/branch',
    'refs/heads/main',
    'refs/tags/v1',
    'refs/tags/v2',
  ]);
  expect(await readRefs(path.join(root, 'below'))).toEqual(byFiles);
  run('config', 'extensions.worktreeConfig', 'true');
  expect(await readRefs(root)).toEqual(byFiles);
  run('config', '--unset', 'extensions.worktreeConfig');
  run('symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
  expect((await readRefs(root))?.refs.get('refs/heads/alias')).toBe(byFiles?.refs.get('refs/heads/main'));
});

it('a log explains a move only as a whole', () => {
  const log = [
    { commit: 'c', command: 'commit: c' },
    { commit: 'b', command: '' },
    { commit: 'a', command: 'commit: a' },
  ];
  expect(commandIn(log, { ref: 'refs/heads/x', was: 'b', is: 'c' })).toBe('commit: c');
  expect(commandIn(log, { ref: 'refs/heads/x', was: 'a', is: 'c' })).toBeUndefined();
  expect(commandIn(log, { ref: 'refs/heads/x', was: 'z', is: 'c' })).toBeUndefined();
  expect(commandIn(log, { ref: 'refs/heads/x', was: 'c', is: 'd' })).toBeUndefined();
});

type Repository = ReturnType<typeof repository>;
