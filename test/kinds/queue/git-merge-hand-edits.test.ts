import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Finished } from '../../support/finished.ts';
import { gitIn, put } from '../../support/workspaces.ts';

const { signal } = new AbortController();

async function edited(config: Record<string, unknown> = {}): Promise<{ project: Finished; cwd: string }> {
  const project = new Finished(config);
  await project.done('one', { 'b.txt': 'b\n' });
  const { workspace: cwd = '' } = await project.noted('one');
  put(cwd, 'b.txt', 'b by hand\n');
  put(cwd, 'new.txt', 'new by hand\n');
  return { project, cwd };
}

describe('edits by hand in a finished workspace', { timeout: 60_000 }, () => {
  it('land as docket diff shows them: committed as an edit of their own, and tested', async () => {
    const { project, cwd } = await edited({ acceptance: ['test -e new.txt || test ! -e b.txt'] });
    const before = [project.commitOf('main'), gitIn(cwd, 'rev-parse', 'HEAD').trim()];
    const diff = (await project.work.diff('one', 'names')).text.trim().split('\n');
    const [dry] = await project.work.merge({ dryRun: true, signal });
    expect(dry).toMatchObject({ state: 'fits', edits: ['b.txt', 'new.txt'] });
    expect([project.commitOf('main'), gitIn(cwd, 'rev-parse', 'HEAD').trim()]).toEqual(before);
    expect(gitIn(cwd, 'status', '--porcelain')).toBe(' M b.txt\n?? new.txt\n');
    const [one] = await project.merge();
    expect(one).toMatchObject({ state: 'merged', edits: ['b.txt', 'new.txt'] });
    expect(
      project
        .git('diff', '--name-only', before[0] ?? '', 'main')
        .trim()
        .split('\n'),
    ).toEqual(diff);
    expect([project.read('b.txt'), project.read('new.txt')]).toEqual(['b by hand\n', 'new by hand\n']);
    const log = project
      .git('log', '--topo-order', '--format=%s', '--no-merges', '-2', 'main')
      .trim()
      .split('\n');
    expect(log).toEqual(['Edits by hand in the workspace of one', 'docket: one']);
    expect(gitIn(cwd, 'status', '--porcelain')).toBe('');
    // More of them after that can be merged as well.
    put(cwd, 'new.txt', 'again\n');
    expect(project.states(await project.work.merge({ tasks: ['one'], dryRun: true, signal }))).toEqual({
      one: 'fits',
    });
    expect(project.states(await project.merge('one'))).toEqual({ one: 'merged' });
    expect(project.read('new.txt')).toBe('again\n');
    expect(project.states(await project.merge('one'))).toEqual({ one: 'already' });
  });

  it('that fail the acceptance commands do not land, and are not lost', async () => {
    const { project, cwd } = await edited({ acceptance: ['! grep -q hand b.txt'] });
    const before = project.commitOf('main');
    const [one] = await project.merge('one');
    expect(one).toMatchObject({
      state: 'rejected',
      reason: 'merged into main it fails ! grep -q hand b.txt',
    });
    expect([project.commitOf('main'), (await project.get('one')).status]).toEqual([before, 'blocked']);
    expect(fs.readFileSync(path.join(cwd, 'new.txt'), 'utf8')).toBe('new by hand\n');
    expect(project.git('show', `${(await project.noted('one')).branch}:new.txt`)).toBe('new by hand\n');
    put(cwd, 'b.txt', 'fixed\n');
    expect(project.states(await project.merge('one'))).toEqual({ one: 'merged' });
    expect([project.read('b.txt'), (await project.get('one')).status]).toEqual(['fixed\n', 'done']);
  });

  it('are refused where they cannot be committed on the branch of the task', async () => {
    const { project, cwd } = await edited();
    const { branch = '' } = await project.noted('one');
    const before = project.commitOf('main');
    gitIn(cwd, 'switch', '--quiet', '--create', 'elsewhere');
    for (const dryRun of [true, false])
      expect(await project.work.merge({ dryRun, signal })).toMatchObject([
        {
          state: 'refused',
          reason: `task one: its workspace is on the branch "elsewhere", and its work is on "${branch}" (switch back, then try again: git -C ${cwd} switch ${branch})`,
        },
      ]);
    gitIn(cwd, 'switch', '--quiet', branch);
    gitIn(cwd, 'update-index', '--assume-unchanged', 'b.txt');
    expect((await project.merge('one'))[0]).toMatchObject({
      state: 'refused',
      reason: expect.stringContaining('ignore changes of these files in its workspace: b.txt') as string,
    });
    expect([project.commitOf('main'), fs.readFileSync(path.join(cwd, 'b.txt'), 'utf8')]).toEqual([
      before,
      'b by hand\n',
    ]);
  });

  it('are refused where git was told to hide them in a linked work tree, too', async () => {
    const project = new Finished();
    await project.done('one', { 'b.txt': 'b\n' }, {}, { workspace: { kind: 'worktree' } });
    const { workspace: cwd = '' } = await project.noted('one');
    put(cwd, 'b.txt', 'b by hand\n');
    gitIn(cwd, 'update-index', '--skip-worktree', 'b.txt');
    expect(fs.statSync(path.join(cwd, '.git')).isFile()).toBe(true);
    expect((await project.merge('one'))[0]).toMatchObject({
      state: 'refused',
      reason: expect.stringContaining('ignore changes of these files in its workspace: b.txt') as string,
    });
  });

  it('are proved before a pull request has them', async () => {
    const { project, cwd } = await edited({ acceptance: ['! grep hand b.txt'] });
    const origin = path.join(project.home, 'origin.git');
    project.git('init', '--quiet', '--bare', origin);
    project.git('remote', 'add', 'origin', origin);
    project.program('gh', '[ "$2" = list ] || echo https://example.com/pull/7');
    const { branch = '', commit } = await project.noted('one');
    for (const _ of [1, 2])
      await expect(project.work.pullRequest('one', { remote: 'origin' })).rejects.toMatchObject({
        code: 'NEEDS_PERSON',
        message:
          'task one was not delivered: with the edits in its workspace, ! grep hand b.txt fails (exit 1): b by hand',
      });
    expect([gitIn(origin, 'branch', '--list'), (await project.noted('one')).commit]).toEqual(['', commit]);
    put(cwd, 'b.txt', 'fixed\n');
    await project.work.pullRequest('one', { remote: 'origin' });
    expect(gitIn(origin, 'show', `${branch}:b.txt`)).toBe('fixed\n');
    expect(gitIn(origin, 'show', `${branch}:new.txt`)).toBe('new by hand\n');
    expect((await project.noted('one')).commit).toBe(gitIn(origin, 'rev-parse', branch).trim());
  });

  it('are kept by docket clean, which names the merge that takes them', async () => {
    const { project } = await edited();
    const cleaned = await project.work.clean({ olderThanMs: 0, dryRun: false, by: 'ann' });
    expect(cleaned.workspaces).toMatchObject([
      { action: 'keep', fix: 'docket merge one, or docket delete one --keep-as one' },
    ]);
  });
});
