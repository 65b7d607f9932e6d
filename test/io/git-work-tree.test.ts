import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { git, namedWorkTree, tryGitInTurn, workTreeOption } from '../../src/io/git.ts';
import { scratch } from '../support/scratch.ts';

function repository() {
  const folder = fs.realpathSync(scratch());
  const run = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@e', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
  run('init', '--quiet', '--initial-branch=main');
  fs.mkdirSync(path.join(folder, 'sub'));
  fs.writeFileSync(path.join(folder, 'sub/a.txt'), 'a\n');
  run('add', '--all');
  run('commit', '--quiet', '-m', 'a');
  return { folder, run };
}

describe('a repository whose settings name another work tree', () => {
  it('is looked at and committed in its own folder', async () => {
    const { folder, run } = repository();
    const other = scratch();
    fs.writeFileSync(path.join(other, 'id_rsa'), 'key\n');
    run('config', 'core.worktree', other);
    fs.writeFileSync(path.join(folder, 'b.txt'), 'b\n');
    expect(await git(folder, ['status', '--porcelain'])).toBe('?? b.txt\n');
    expect(await git(path.join(folder, 'sub'), ['status', '--porcelain', '--', '.'])).toBe('');
    const commit = ['-c', 'user.name=t', '-c', 'user.email=t@e', 'commit', '--quiet', '-m', 'b'];
    await tryGitInTurn(folder, [['add', '--all'], commit]);
    expect(run('ls-tree', '-r', '--name-only', 'HEAD').split('\n')).toEqual(['b.txt', 'sub/a.txt', '']);
  });

  it.each(['', 'sub'])(
    'is not hidden by a repository that only looks like one, asked in "%s"',
    async (below) => {
      const { folder, run } = repository();
      const other = scratch();
      fs.writeFileSync(path.join(other, 'id_rsa'), 'key\n');
      run('config', 'core.worktree', other);
      const cwd = path.join(folder, below);
      fs.writeFileSync(path.join(cwd, 'HEAD'), 'no ref\n');
      for (const name of ['objects', 'refs']) fs.mkdirSync(path.join(cwd, name));
      fs.mkdirSync(path.join(folder, 'sub', '.git', 'objects'), { recursive: true });
      expect(namedWorkTree(cwd)).toBe(folder);
      expect(await git(cwd, ['status', '--porcelain', '--untracked-files=all', '--', '.'])).toBe(
        `?? ${path.join(below, 'HEAD')}\n`,
      );
    },
  );

  it.each(['config', 'config.worktree'])(
    'does not lead out of a folder that was made a repository itself (%s)',
    async (file) => {
      const { folder, run } = repository();
      const other = scratch();
      fs.writeFileSync(path.join(other, 'id_rsa'), 'key\n');
      const cwd = path.join(folder, 'sub');
      fs.cpSync(path.join(folder, '.git'), cwd, { recursive: true });
      run(`--git-dir=${cwd}`, 'config', 'extensions.worktreeConfig', 'true');
      run(`--git-dir=${cwd}`, 'config', '--unset', 'core.bare');
      expect(namedWorkTree(cwd)).toBeUndefined();
      run(`--git-dir=${cwd}`, 'config', '--file', path.join(cwd, file), 'core.worktree', other);
      const names = await git(cwd, ['ls-files', '--others']);
      expect(names).toContain('a.txt\n');
      expect(names).not.toContain('id_rsa');
    },
  );

  it('does not wait for a pipe in the place of its settings', () => {
    const { folder } = repository();
    fs.rmSync(path.join(folder, '.git/config'));
    execFileSync('mkfifo', [path.join(folder, '.git/config')]);
    expect(namedWorkTree(folder)).toBe(folder);
  });

  it('is named also where the setting is of one work tree alone', async () => {
    const { folder, run } = repository();
    run('config', 'extensions.worktreeConfig', 'true');
    run('config', '--worktree', 'core.worktree', scratch());
    expect(await git(folder, ['status', '--porcelain'])).toBe('');
  });
});

describe('the option', () => {
  it('is left out where no setting mentions a work tree, and for commands that take none', () => {
    const { folder, run } = repository();
    expect(workTreeOption(folder, ['status'])).toEqual([]);
    run('config', 'core.worktree', '/elsewhere');
    expect(workTreeOption('/', ['-C', folder, '-c', 'a.b=c', 'status'])).toEqual([`--work-tree=${folder}`]);
    for (const command of ['clone', 'init', 'fetch', 'worktree'])
      expect(workTreeOption(folder, [command])).toEqual([]);
    expect(workTreeOption(folder, ['--git-dir=.', 'status'])).toEqual([]);
  });

  it('is that of a linked work tree and of a submodule, whose .git is a file', () => {
    const { folder, run } = repository();
    run('config', 'extensions.worktreeConfig', 'true');
    const linked = path.join(fs.realpathSync(scratch()), 'linked');
    run('worktree', 'add', '--quiet', linked);
    expect(namedWorkTree(linked)).toBe(linked);
    expect(namedWorkTree(path.join(folder, '.git'))).toBeUndefined();
  });
});

it('a commit that somebody made look like another one (git replace) is compared as it is', async () => {
  const { folder, run } = repository();
  const base = run('rev-parse', 'HEAD').trim();
  fs.writeFileSync(path.join(folder, 'b.txt'), 'b\n');
  run('add', '--all');
  run('commit', '--quiet', '-m', 'b');
  run('replace', base, 'HEAD');
  expect(run('diff', '--name-only', base, 'HEAD')).toBe('');
  expect(await git(folder, ['diff', '--name-only', base, 'HEAD'])).toBe('b.txt\n');
});
