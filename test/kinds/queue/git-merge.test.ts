import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { actionsFor } from '../../../src/kinds/queue/actions.ts';
import { commandsFor } from '../../../src/kinds/queue/verbs.ts';
import { rowOf } from '../../../src/project/view/row.ts';
import { execute } from '../../../src/store/execute.ts';
import { Finished } from '../../support/finished.ts';
import { gitIn } from '../../support/workspaces.ts';

const files = (project: Finished, commit: string) =>
  project.git('ls-tree', '-r', '--name-only', commit).trim().split('\n');

describe('docket merge', { timeout: 60_000 }, () => {
  it('lands finished work on the branch it was made from, files and all', async () => {
    const project = new Finished();
    await project.done('one', { 'b.txt': 'b\n' });
    const [one] = await project.merge('one');
    const commit = project.commitOf('main');
    expect(one).toMatchObject({ into: 'main', state: 'merged', commit });
    expect([project.read('b.txt'), project.git('status', '--porcelain')]).toEqual(['b\n', '']);
    expect(await project.noted('one')).toMatchObject({ merged: { into: 'main', commit } });
    expect(project.git('log', '-1', '--format=%s').trim()).toBe('Merge task one into main');
    expect(project.states(await project.merge('one'))).toEqual({ one: 'already' });
    expect([project.commitOf('main'), await project.merge()]).toEqual([commit, []]);
  });

  it('squashes into one commit, once', async () => {
    const project = new Finished();
    await project.done('one', { 'b.txt': 'b\n' });
    const signal = new AbortController().signal;
    const squash = () => project.work.merge({ tasks: ['one'], squash: true, signal });
    const before = project.commitOf('main');
    expect(project.states(await squash())).toEqual({ one: 'merged' });
    expect(project.commitOf('main^')).toBe(before);
    expect(project.git('log', '-1', '--format=%p').trim().split(' ')).toHaveLength(1);
    expect(project.states(await squash())).toEqual({ one: 'already' });
  });

  it('says what would happen, and changes nothing', async () => {
    const project = new Finished();
    await project.done('one', { 'a.txt': 'ONE\n' });
    await project.done('two', { 'a.txt': 'TWO\n' });
    await project.done('three', { 'c.txt': 'c\n' });
    const before = [project.commitOf('main'), (await project.get('two')).rev];
    const merged = await project.work.merge({ dryRun: true, signal: new AbortController().signal });
    expect(project.states(merged)).toEqual({ one: 'fits', two: 'conflict', three: 'fits' });
    const together = 'conflicts with one, merged into main before it: conflicts in a.txt';
    expect(merged[1]).toMatchObject({ reason: together, together: ['one'] });
    expect([project.commitOf('main'), (await project.get('two')).rev]).toEqual(before);
  });

  it('says that it conflicts with the branch where it does so without any other', async () => {
    const project = new Finished();
    await project.done('one', { 'b.txt': 'b\n' });
    await project.done('two', { 'a.txt': 'TWO\n' });
    project.write('a.txt', 'mine\n');
    project.git('commit', '--quiet', '--all', '-m', 'mine');
    const [, two] = await project.merge();
    expect(two?.reason).toBe('conflicts with main: conflicts in a.txt');
    expect(two).not.toHaveProperty('together');
  });

  it('refuses what is not proved, also where an earlier run of it has left a branch', async () => {
    const project = new Finished();
    await project.done('one', { 'b.txt': 'b\n' });
    const store = await project.store();
    const now = new Date().toISOString();
    const about = { id: 'one', by: 'ann' };
    const reason = {
      kind: 'verify',
      text: 'the claim that b.txt was changed is false',
      who: 'a person',
    } as const;
    await execute(store, { ...about, type: 'reopen', reason: 'once more' }, { now });
    await execute(store, { ...about, type: 'block', reason }, { now });
    await expect(project.merge('one')).rejects.toMatchObject({
      code: 'REFUSED',
      message:
        'task one is blocked (verify: the claim that b.txt was changed is false), not done: only work that is proved leaves its workspace',
      fix: expect.stringContaining('docket retry one --note TEXT'),
    });
    await expect(project.work.pullRequest('one', { remote: 'origin' })).rejects.toThrow('not done');
    expect((await project.get('one')).status).toBe('blocked');
    await execute(store, { ...about, type: 'cancel', reason: 'no' }, { now });
    await expect(project.merge('one')).rejects.toMatchObject({
      message: 'task one is canceled, not done',
      fix: 'have it done first: docket retry one, then docket run',
    });
  });

  it('blocks what conflicts, names the files, keeps evidence, and goes on with the rest', async () => {
    const project = new Finished();
    await project.done('one', { 'a.txt': 'ONE\n' });
    await project.done('two', { 'a.txt': 'TWO\n', 'b.txt': '2\n' });
    await project.done('three', { 'c.txt': 'c\n' });
    const merged = await project.merge();
    expect(project.states(merged)).toEqual({ one: 'merged', two: 'conflict', three: 'merged' });
    const two = await project.get('two');
    expect(two).toMatchObject({
      status: 'blocked',
      reason: { kind: 'conflict', text: expect.stringContaining('a.txt') },
    });
    expect(merged[1]?.files).toEqual(['a.txt']);
    expect(project.read(merged[1]?.evidence ?? '')).toContain('CONFLICT (content): Merge conflict in a.txt');
    expect([project.read('a.txt'), fs.existsSync(project.place('b.txt'))]).toEqual(['ONE\n', false]);
    // Who tries it again is told why, whatever a person says beside it.
    const [again] = commandsFor('retry', two, { by: 'ann', note: 'Keep both.' });
    expect(JSON.stringify(again)).toMatch(/conflicts in a\.txt[^]*merge it[^]*Keep both\./);
    // Its workspace has what it must fit now; mended there, it lands and is done.
    const { workspace = '' } = await project.noted('two');
    expect(() => gitIn(workspace, 'merge', '--quiet', 'main')).toThrow('merge');
    fs.writeFileSync(path.join(workspace, 'a.txt'), 'ONE AND TWO\n');
    gitIn(workspace, 'commit', '--quiet', '--all', '-m', 'mended');
    expect(project.states(await project.merge('two'))).toEqual({ two: 'merged' });
    expect([project.read('a.txt'), (await project.get('two')).status]).toEqual(['ONE AND TWO\n', 'done']);
  });

  it('gives no keys to what runs over work that nobody vouches for', async () => {
    const project = new Finished({ acceptance: ['test -z "$MERGE_KEY"'], commandEnv: ['MERGE_KEY'] });
    project.env['MERGE_KEY'] = 'x';
    await project.add('low');
    const trust = { level: 'low', source: 'issue', author: 'mallory' } as const;
    const now = new Date().toISOString();
    await execute(await project.store(), { type: 'edit', id: 'low', by: 'ann', set: { trust } }, { now });
    await project.done('low', { low: '' });
    await project.done('plain', { plain: '' });
    expect(project.states(await project.merge('low'))).toEqual({ low: 'merged' });
    expect(project.states(await project.merge('plain'))).toEqual({ plain: 'refused' }); // it fails with the key
  });

  it('finds who breaks the tests, alone or together with an earlier one', async () => {
    const acceptance = ['test ! -e broken', '! { test -e left && test -e right; }', 'echo "$TMPDIR"'];
    const project = new Finished({ acceptance });
    await project.done('left', { left: '' });
    await project.done('free', { free: '' });
    await project.done('broken', { broken: '' });
    await project.done('right', { right: '' });
    await project.done('last', { last: '' });
    const merged = await project.merge();
    expect(project.states(merged)).toEqual({
      left: 'merged',
      free: 'merged',
      broken: 'rejected',
      right: 'rejected',
      last: 'merged',
    });
    expect(merged.map(({ together }) => together)).toEqual([
      undefined,
      undefined,
      undefined,
      ['left'],
      undefined,
    ]);
    expect(await project.get('right')).toMatchObject({
      status: 'blocked',
      reason: { kind: 'verify', text: expect.stringContaining('only together with left') },
    });
    expect(files(project, 'main')).toEqual(['.gitignore', 'a.txt', 'free', 'last', 'left']);
    expect(fs.readdirSync(path.join(project.dir, 'trials'))).toEqual([]);
  });

  it('holds a later task to what an earlier one was accepted by', async () => {
    const project = new Finished();
    const commands = [['grep', '-q', "it's on", 'flag file']];
    await project.done('on', { 'flag file': "it's on\n" }, {}, { acceptance: { commands, criteria: [] } });
    await project.done('off', { other: '', 'flag file': "it's on\n" });
    await project.done('never', {}, {}, { acceptance: { commands: [['false']], criteria: [] } });
    expect(project.states(await project.merge('on'))).toEqual({ on: 'merged' });
    await project.done(
      'bad',
      { x: '' },
      {},
      { acceptance: { commands: [['test', '-e', 'y']], criteria: [] } },
    );
    expect(project.states(await project.merge())).toEqual({
      off: 'merged',
      never: 'already',
      bad: 'rejected',
    });
  });

  it('blames nobody where the branch itself fails', async () => {
    const project = new Finished({ acceptance: ['test ! -e a.txt'] });
    await project.done('one', { 'b.txt': 'b\n' });
    const [one] = await project.merge();
    expect(one).toMatchObject({ state: 'refused', reason: expect.stringContaining('"main" itself fails') });
    expect((await project.get('one')).status).toBe('done');
  });

  it('never moves the branch under an agent at work', async () => {
    const project = new Finished();
    await project.done('one', { 'b.txt': 'b\n' });
    const before = project.commitOf('main');
    await project.add('inplace', {}, { workspace: { kind: 'inplace' } });
    const store = await project.store();
    const [claim] = await store.claim({ owner: 'x', max: 1, only: ['inplace'] });
    await expect(project.merge('one')).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('inplace'),
    });
    expect(project.commitOf('main')).toBe(before);
    await claim?.release();
    project.git('branch', 'release');
    const merged = await project.work.merge({
      tasks: ['one'],
      into: 'release',
      signal: new AbortController().signal,
    });
    expect(project.states(merged)).toEqual({ one: 'merged' });
    expect([project.commitOf('main'), files(project, 'release')]).toEqual([
      before,
      ['.gitignore', 'a.txt', 'b.txt'],
    ]);
  });

  it('goes on after a crash between the landing and the note of it', async () => {
    const project = new Finished();
    await project.done('one', { 'b.txt': 'b\n' });
    const { branch = '' } = await project.noted('one');
    project.git('merge', '--quiet', '--no-ff', '-m', 'landed', branch);
    const landed = project.commitOf('main');
    expect(project.states(await project.merge())).toEqual({ one: 'already' });
    expect((await project.noted('one')).merged).toEqual({ into: 'main', commit: landed });
  });

  it('offers for work that is on no branch yet only what helps', async () => {
    const project = new Finished();
    await project.add('away');
    const cwd = await project.claimed('away', (clone) => void gitIn(clone, 'switch', '-qc', 'other'));
    const { branch = '' } = await project.noted('away');
    expect((await project.delivered('away')).held).toMatchObject({ kind: 'conflict' });
    const held = await project.get('away');
    expect(rowOf('queue', 'away', held, []).next?.words).toEqual(['retry', 'away']);
    expect(actionsFor(held)).not.toContain('merge');
    await expect(project.merge('away')).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('before its work was committed') as string,
      fix: `settle what holds it in ${cwd} (git switch ${branch}), then: docket retry away`,
    });
    gitIn(cwd, 'switch', '-q', branch);
    for (const command of commandsFor('retry', held, { by: 'ann' }))
      await execute(await project.store(), command, { now: new Date().toISOString() });
    await project.done('away', { 'b.txt': 'b\n' });
    expect(project.states(await project.merge('away'))).toEqual({ away: 'merged' });
  });

  it('refuses what is not there to be merged', async () => {
    const project = new Finished();
    await project.add('waits');
    await project.done('place', {}, {}, { workspace: { kind: 'inplace' } });
    await expect(project.merge('waits')).rejects.toMatchObject({ code: 'REFUSED' });
    await expect(project.merge('place')).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('in place'),
    });
    await expect(project.merge('nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await project.done('one', { 'b.txt': 'b\n' });
    const into = project.work.merge({ tasks: ['one'], into: '--nope', signal: new AbortController().signal });
    await expect(into).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is done by one docket at a time', async () => {
    const project = new Finished({ acceptance: ['sleep 0.2'] });
    for (const name of ['one', 'two', 'three']) await project.done(name, { [name]: name });
    const rounds = await Promise.all([project.merge(), project.merge(), project.merge('two')]);
    const all = rounds.flat().map(({ state, task }) => `${task.id} ${state}`);
    expect(all.filter((text) => text.endsWith(' merged')).toSorted()).toEqual([
      'one merged',
      'three merged',
      'two merged',
    ]);
    expect(files(project, 'main')).toEqual(['.gitignore', 'a.txt', 'one', 'three', 'two']);
    expect(project.git('rev-list', '--count', '--merges', 'main').trim()).toBe('3');
  });
});
