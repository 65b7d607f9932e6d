import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { setProbe } from '../../../src/io/fault.ts';
import { finishedWork } from '../../../src/kinds/queue/finished.ts';
import { Finished } from '../../support/finished.ts';
import { treeOf } from '../../support/scratch.ts';
import { gitIn, put } from '../../support/workspaces.ts';

const refused = (text: string) => ({ code: 'REFUSED', message: expect.stringContaining(text) as string });
const withoutGit = (folder: string) =>
  Object.fromEntries(Object.entries(treeOf(folder)).filter(([name]) => !/^\.git(\/|$)/.test(name)));

async function remove(project: Finished, name: string, keepAs?: string, dryRun = false) {
  const input = { by: 'ann', dryRun, ...(keepAs !== undefined && { keepAs }) };
  return (await project.work.remove([name], input))[0];
}

async function workspaceOf(project: Finished, name: string): Promise<string> {
  return (await project.noted(name)).workspace ?? '';
}

describe('docket delete', { timeout: 60_000 }, () => {
  it.each(['clone', 'worktree'] as const)(
    'takes away what is merged: record, %s and branch',
    async (kind) => {
      const project = new Finished({ workspace: kind });
      await project.add('one');
      const cwd = await project.claimed('one', (at) => put(at, 'b.txt', 'b\n'), { workspace: kind });
      await project.delivered('one');
      await project.merge('one');
      const { branch } = await project.noted('one');
      expect(await remove(project, 'one', undefined, true)).toMatchObject({
        workspace: cwd,
        branch,
        dryRun: true,
      });
      expect(fs.existsSync(cwd)).toBe(true);
      await remove(project, 'one');
      expect((await project.get('one')).removedAt).toBeDefined();
      expect(fs.readdirSync(path.dirname(cwd))).toEqual([]);
      expect(project.git('for-each-ref', '--format=%(refname)').trim()).toBe('refs/heads/main');
      expect(project.git('worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(1);
      await remove(project, 'one'); // again: nothing is left to do
    },
  );

  it('refuses while anything would be lost, and says what', async () => {
    const project = new Finished();
    await project.done('one', { 'b.txt': 'b\n' });
    const cwd = await workspaceOf(project, 'one');
    await expect(remove(project, 'one')).rejects.toMatchObject(refused('neither merged nor pushed'));
    await project.merge('one');
    put(cwd, 'new.txt', 'x');
    await expect(remove(project, 'one')).rejects.toMatchObject(refused('new.txt'));
    fs.rmSync(path.join(cwd, 'new.txt'));
    gitIn(cwd, 'switch', '--quiet', '--create', 'mine');
    gitIn(cwd, 'commit', '--quiet', '--allow-empty', '-m', 'mine');
    gitIn(cwd, 'switch', '--quiet', '-');
    await expect(remove(project, 'one')).rejects.toMatchObject(refused('refs/heads/mine'));
    gitIn(cwd, 'tag', '--annotate', '-m', 'kept', 'kept', 'mine');
    gitIn(cwd, 'branch', '--quiet', '-D', 'mine');
    await expect(remove(project, 'one')).rejects.toMatchObject(refused('refs/tags/kept'));
    gitIn(cwd, 'tag', '--delete', 'kept');
    put(cwd, 'a.txt', 'stashed');
    gitIn(cwd, 'stash', '--quiet');
    await expect(remove(project, 'one')).rejects.toMatchObject(refused('refs/stash'));
    gitIn(cwd, 'stash', 'drop', '--quiet');
    gitIn(cwd, 'init', '--quiet', 'nested');
    await expect(remove(project, 'one', 'x')).rejects.toMatchObject(refused('a repository of its own'));
    fs.rmSync(path.join(cwd, 'nested'), { recursive: true });
    const marker = path.join(cwd, '.git/docket.json');
    const text = fs.readFileSync(marker, 'utf8');
    fs.writeFileSync(marker, text.replace('"task": "one"', '"task": "two"'));
    await expect(remove(project, 'one', 'x')).rejects.toMatchObject(refused('is not the workspace'));
    fs.writeFileSync(marker, text);
    expect((await project.get('one')).removedAt).toBeUndefined();
    await remove(project, 'one');
    expect(fs.existsSync(cwd)).toBe(false);
  });

  it('looks at all of several before the first one goes', async () => {
    const project = new Finished();
    const input = { by: 'ann', dryRun: false };
    await project.add('one');
    await project.done('two', { 'b.txt': 'b\n' });
    await project.add('three', {}, {}, ['one']);
    await expect(project.work.remove(['three', 'two', 'one'], input)).rejects.toMatchObject(
      refused('task two was not deleted: '),
    );
    await expect(project.work.remove(['one', 'nobody'], input)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(project.work.remove(['one'], input)).rejects.toMatchObject(refused('three waits for one'));
    await expect(project.work.remove(['one', 'three'], { ...input, keepAs: 'x' })).rejects.toMatchObject({
      code: 'INVALID',
    });
    const planned = await project.work.remove(['one', 'three'], { ...input, dryRun: true });
    expect(planned.map(({ task, dryRun }) => [task.id, dryRun])).toEqual([
      ['one', true],
      ['three', true],
    ]);
    expect((await (await project.store()).list()).map(({ id }) => id).toSorted()).toEqual([
      'one',
      'three',
      'two',
    ]);
    await project.work.remove(['one', 'three', 'one'], input); // one that waits for another may go with it
    expect((await (await project.store()).list()).map(({ id }) => id)).toEqual(['two']);
  });

  it('refuses while somebody stands in the workspace', async () => {
    const project = new Finished();
    await project.done('one', { 'b.txt': 'b\n' });
    await project.merge('one');
    const cwd = await workspaceOf(project, 'one');
    fs.mkdirSync(path.join(cwd, 'deep'));
    const child = spawn('sleep', ['60'], { cwd: path.join(cwd, 'deep') });
    onTestFinished(() => void child.kill('SIGKILL'));
    await expect(remove(project, 'one', 'x')).rejects.toMatchObject(refused(`process ${child.pid} (sleep)`));
    const gone = new Promise((resolve) => child.on('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    await remove(project, 'one');
  });

  it('lets go of what was pushed or squashed, and of a task that never ran', async () => {
    const project = new Finished();
    const bare = path.join(project.home, 'bare.git');
    project.git('init', '--quiet', '--bare', bare);
    project.git('remote', 'add', 'origin', bare);
    const published = { should_publish_branch_to_origin: true };
    const { noted } = await project.done('pushed', { 'b.txt': 'b\n' }, published);
    expect(noted).toMatchObject({ pushed: 'origin' });
    await remove(project, 'pushed');
    await project.done('squashed', { 'c.txt': 'c\n' });
    await project.work.merge({ tasks: ['squashed'], squash: true, signal: new AbortController().signal });
    await remove(project, 'squashed');
    await project.add('never');
    await remove(project, 'never');
    expect(await project.get('never')).toMatchObject({ status: 'canceled' });
    expect(project.branches()).toEqual(['main']);
  });

  it('does not delete what runs, nor what another waits for, nor a branch that a person named', async () => {
    const project = new Finished();
    await project.add('one');
    const store = await project.store();
    const [claim] = await store.claim({ owner: 'x', max: 1 });
    await expect(remove(project, 'one', 'x')).rejects.toMatchObject(refused('being worked on'));
    await claim?.release();
    await project.add('first');
    await project.add('second', {}, {}, ['first']);
    await expect(remove(project, 'first')).rejects.toMatchObject(refused('second waits for first'));
    await project.done('named', { 'b.txt': '' }, { branch: 'mine/own' });
    await project.merge('named');
    await remove(project, 'named');
    expect(project.branches()).toEqual(['main', 'mine/own']);
  });

  it('is completed by the next call when it is killed at any point', async () => {
    for (let at = 1, ended = false; !ended && at < 60; at += 1) {
      const project = new Finished();
      await project.done('one', { 'b.txt': 'b\n' });
      await project.merge('one');
      const cwd = await workspaceOf(project, 'one');
      let calls = 0;
      setProbe((moment, call, file) => {
        const ours = /clones|docket-gone/.test(file) && (call === 'rename' || call === 'unlink');
        if (ours && moment === 'after' && (calls += 1) === at) throw new Error('killed');
      });
      ended = await remove(project, 'one').then(
        () => true,
        () => false,
      );
      setProbe(undefined);
      await remove(project, 'one');
      expect(fs.readdirSync(path.dirname(cwd))).toEqual([]);
      expect(project.branches()).toEqual(['main']);
    }
  });
});

describe('--keep-as and docket restore', { timeout: 60_000 }, () => {
  it.each(['clone', 'worktree'] as const)('save and bring back all of a %s', async (kind) => {
    const project = new Finished({ workspace: kind });
    await project.add('one');
    const cwd = await project.claimed('one', (at) => put(at, 'b.txt', 'b\n'), { workspace: kind });
    await project.delivered('one');
    put(cwd, 'staged.txt', 'staged\n');
    gitIn(cwd, 'add', 'staged.txt');
    put(cwd, 'staged.txt', 'staged, then changed\n');
    put(cwd, 'ne w/ö.txt', 'new\n');
    put(cwd, 'run.sh', '#!/bin/sh\n');
    fs.chmodSync(path.join(cwd, 'run.sh'), 0o755);
    fs.symlinkSync('b.txt', path.join(cwd, 'link'));
    fs.rmSync(path.join(cwd, 'a.txt'));
    if (kind === 'clone') gitIn(cwd, 'branch', 'agents/own');
    const before = [withoutGit(cwd), gitIn(cwd, 'status', '--porcelain'), gitIn(cwd, 'diff', '--cached')];
    const { branch = '' } = await project.noted('one');
    const tip = project.commitOf(branch);
    await remove(project, 'one', 'my/one');
    expect([fs.existsSync(cwd), project.branches()]).toEqual([false, ['main']]);
    expect(project.git('show', 'refs/docket/kept/my/one:ne w/ö.txt')).toBe('new\n');
    project.git('gc', '--quiet', '--prune=now');

    expect(await project.work.restore('one', true)).toMatchObject({ dryRun: true, workspace: cwd });
    expect((await project.get('one')).removedAt).toBeDefined();
    const back = await project.work.restore('one', false);
    expect(back).toMatchObject({ workspace: cwd, branch, from: 'refs/docket/kept/my/one' });
    expect(await project.get('one')).toMatchObject({ status: 'done' });
    expect([withoutGit(cwd), gitIn(cwd, 'status', '--porcelain'), gitIn(cwd, 'diff', '--cached')]).toEqual(
      before,
    );
    expect(project.commitOf(branch)).toBe(tip);
    const own = kind === 'clone' ? 'agents/own' : '';
    expect(gitIn(cwd, 'branch', '--list', 'agents/own').trim()).toBe(own);
    await expect(project.work.restore('one', false)).rejects.toMatchObject({ code: 'REFUSED' });
  });

  it('never writes over what was kept before, and keeps it once', async () => {
    const project = new Finished();
    for (const name of ['one', 'two']) await project.done(name, { [name]: name });
    await expect(remove(project, 'one', '../x y')).rejects.toMatchObject({ code: 'INVALID' });
    // Killed behind the keeping: the same line again completes it.
    const store = await project.store();
    const broken = { ...store, transact: async () => Promise.reject(new Error('killed')) };
    const { root, dir, env } = project;
    const clock = { now: () => Date.now() };
    const dying = finishedWork({
      root,
      dir,
      env,
      clock,
      warn: () => undefined,
      read: () => Promise.reject(new Error()),
      open: async () => broken,
    });
    await expect(dying.remove(['one'], { by: 'ann', dryRun: false, keepAs: 'kept' })).rejects.toThrow(
      'killed',
    );
    const kept = project.commitOf('refs/docket/kept/kept');
    await remove(project, 'one', 'kept');
    expect(project.commitOf('refs/docket/kept/kept')).toBe(kept);
    await expect(remove(project, 'two', 'kept')).rejects.toMatchObject(refused('holds something else'));
    expect(fs.existsSync(await workspaceOf(project, 'two'))).toBe(true);
  });

  it('bring back a record whose branch is merged, and refuse over another branch', async () => {
    const project = new Finished();
    await project.done('one', { 'b.txt': 'b\n' });
    await project.merge('one');
    const { branch = '', commit } = await project.noted('one');
    await remove(project, 'one');
    project.git('branch', branch);
    await expect(project.work.restore('one', false)).rejects.toMatchObject(refused('another branch'));
    project.git('branch', '--quiet', '-D', branch);
    await project.work.restore('one', false);
    expect([project.commitOf(branch), (await project.get('one')).removedAt]).toEqual([commit, undefined]);
    expect((await project.noted('one')).workspace).toBeUndefined(); // it is gone, and made anew when it is needed
  });

  it('bring back a task that waited as one that waits, also by how its name begins', async () => {
    const project = new Finished();
    await project.add('fix-login');
    await remove(project, 'fix-login');
    await project.add('other');
    expect(await project.get('fix-login')).toMatchObject({ status: 'canceled' });
    await expect(project.work.restore('oth', false)).rejects.toMatchObject(refused('other was not deleted'));
    expect(await project.work.restore('fix-l', false)).toMatchObject({ task: { status: 'queued' } });
    expect((await project.noted('fix-login')).deletedFrom).toBeUndefined();
    await (await project.store()).claim({ owner: 'x', max: 1, only: ['fix-login'] });
    expect((await project.get('fix-login')).status).toBe('running');
  });
});
