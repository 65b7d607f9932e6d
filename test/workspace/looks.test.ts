import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { changesSince } from '../../src/workspace/changes.ts';
import { patchSince } from '../../src/workspace/patch.ts';
import { TestRepository } from '../support/repository.ts';
import { scratch } from '../support/scratch.ts';

/** From now on every call of git is counted; returns those since the last time it was asked. */
function countedGit(): () => string[] {
  const dir = scratch();
  const log = path.join(dir, 'log');
  const real = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const script = `#!/bin/sh\nfor word; do case $word in -c|core.*|submodule.*) ;; *) echo "$word" >> '${log}'; break;; esac; done\n`;
  fs.writeFileSync(path.join(dir, 'git'), `${script}exec '${real}' "$@"\n`, { mode: 0o755 });
  const before = process.env['PATH'];
  process.env['PATH'] = `${dir}:${before}`;
  onTestFinished(() => {
    process.env['PATH'] = before;
  });
  return () => {
    const calls = fs.existsSync(log) ? fs.readFileSync(log, 'utf8').trim().split('\n') : [];
    fs.rmSync(log, { force: true });
    return calls;
  };
}

describe('a look at the work tree', () => {
  it('is one call of git where nothing is another, and few where something is', async () => {
    const repository = new TestRepository({ 'a.txt': 'a\n' });
    const snapshot = await repository.snapshot();
    const calls = countedGit();
    expect(await changesSince(repository, snapshot)).toEqual([]);
    expect(calls()).toEqual(['status']);
    repository.write('a.txt', 'b\n');
    expect(await changesSince(repository, snapshot)).toEqual([{ path: 'a.txt', kind: 'modified' }]);
    expect(calls()).toEqual(['status', 'update-index', 'write-tree', 'diff-tree']);
    expect(await patchSince(repository, snapshot)).toContain('+b\n');
    expect(calls()).toEqual(['status', 'diff-tree']);
    expect(await patchSince(repository, snapshot, snapshot)).toBe('');
    expect(calls()).toEqual([]);
  });

  it('sees bytes that are others though size and time are the same', async () => {
    const repository = new TestRepository({ 'a.txt': 'a\n' });
    const snapshot = await repository.snapshot();
    await repository.snapshot();
    const { atime, mtime } = fs.statSync(repository.place('a.txt'));
    repository.write('a.txt', 'b\n');
    fs.utimesSync(repository.place('a.txt'), atime, mtime);
    expect(await changesSince(repository, snapshot)).toEqual([{ path: 'a.txt', kind: 'modified' }]);
  });

  it('knows what was put into the index since the last one, and that the repository is another', async () => {
    const repository = new TestRepository({ '.gitignore': 'forced\n' });
    repository.write('forced', 'x');
    const snapshot = await repository.snapshot();
    repository.git('add', '--force', 'forced');
    expect(await changesSince(repository, snapshot)).toEqual([{ path: 'forced', kind: 'added' }]);
    fs.rmSync(repository.place('.git'), { recursive: true });
    await expect(repository.snapshot()).rejects.toMatchObject({ code: 'REFUSED' });
  });

  it('is not misled by a folder that was moved and linked to, where a rule hides the link', async () => {
    const repository = new TestRepository({ '.gitignore': 'build\n' });
    repository.write('build/x', 'x');
    repository.git('add', '--force', 'build/x');
    const snapshot = await repository.snapshot();
    fs.renameSync(repository.place('build'), repository.place('elsewhere'));
    fs.symlinkSync('elsewhere', repository.place('build'));
    expect(await changesSince(repository, snapshot)).toEqual([
      { path: 'build/x', kind: 'deleted' },
      { path: 'elsewhere/x', kind: 'added' },
    ]);
  });

  it("holds the root's own rules for the root, and not for a repository in it", async () => {
    const repository = new TestRepository({ 'a.txt': 'a\n' });
    repository.write('.git/info/exclude', '*.log\n');
    repository.git('init', '--quiet', 'inner');
    repository.write('inner/b.txt', 'b\n');
    repository.commit('inner');
    const snapshot = await repository.snapshot();
    repository.write('new.log', 'x');
    repository.write('inner/new.log', 'x');
    for (const _ of [1, 2])
      expect(await changesSince(repository, snapshot)).toEqual([{ path: 'inner/new.log', kind: 'added' }]);
  });

  it('trusts nothing that somebody else left in its own repository', async () => {
    const repository = new TestRepository({ 'a.txt': 'a\n' });
    const snapshot = await repository.snapshot();
    const own = (name: string) => path.join(repository.home, 'trees.git', name);
    fs.appendFileSync(own('config'), '[core]\n\tbare = true\n');
    fs.writeFileSync(own('info/exclude'), '*\n');
    fs.rmSync(own('info/attributes'));
    execFileSync('mkfifo', [own('info/attributes')]);
    repository.write('b.txt', 'b\n');
    expect(await changesSince(repository, snapshot)).toEqual([{ path: 'b.txt', kind: 'added' }]);
  });
});
