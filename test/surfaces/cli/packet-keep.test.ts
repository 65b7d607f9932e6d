import { describe, expect, it } from 'vitest';
import type { Retained } from '../../../src/kinds/packet/api.ts';
import { failed, fakePackets, packet, ran } from './fake-packets.ts';
import { docket, json, type Setting } from './fake-world.ts';

function about(words: string[], setting: Setting = {}, start: Parameters<typeof fakePackets>[0] = {}) {
  const { packets, calls } = fakePackets({ packets: [packet(), packet({ id: 'p-2' })], ...start });
  return docket(['packet', ...words], { packets, ...setting }).then((ended) => ({ ...ended, calls }));
}

it.each(['run', 'resume', 'cancel', 'status', 'validate', 'archive', 'delete'])(
  'docket packet %s of an unknown one ends with 3',
  async (word) => {
    const ended = await about([word, 'nope']);
    expect([ended.code, ended.stdout]).toEqual([3, '']);
    expect(ended.stderr).toContain('there is no packet nope');
  },
);

describe('docket packet archive', () => {
  it('prints what it moved', async () => {
    const ended = await about(['archive', 'p-1', 'p-2']);
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([0, 'p-1\np-2\n', 'Moved to .tmp/archive/.\n']);
    expect(ended.calls).toEqual([['archive', ['p-1', 'p-2'], { dryRun: false, force: false }]]);
    const forced = await about(['archive', 'p-1', '--force']);
    expect(forced.calls).toEqual([['archive', ['p-1'], { dryRun: false, force: true }]]);
  });

  it('goes by age, with a dry run', async () => {
    const ended = await about(['archive', '--older-than', '30', '--dry-run']);
    expect(ended.calls).toEqual([['archive', { olderThanDays: 30 }, { dryRun: true, force: false }]]);
    expect(ended.stderr).toContain('nothing was moved');
    const answer = json(await about(['archive', '--older-than', '0', '--json']));
    expect(answer).toEqual({ v: 1, ok: true, archived: ['p-1', 'p-2'], dryRun: false });
    expect((await about(['archive', '--older-than', '1'], {}, { packets: [] })).stderr).toBe(
      'No packet is finished and old enough.\n',
    );
  });

  it('goes by the policy, and says why', async () => {
    const retained: Retained[] = [
      { id: 'p-1', from: 'task', action: 'keep', why: 'it is failed, not finished' },
      { id: 'p-2', from: 'task', action: 'archive', why: 'finished 20 days ago' },
      { id: 'p-3', from: 'archive', action: 'delete', why: 'archived 99 days ago' },
    ];
    const dry = await about(['archive', '--policy', '--dry-run'], {}, { retained });
    expect([dry.code, dry.stdout, dry.stderr]).toEqual([
      0,
      'archive  p-2               finished 20 days ago\n' +
        'delete   .tmp/archive/p-3  archived 99 days ago\n' +
        'keep     p-1               it is failed, not finished\n',
      '1 to archive, 1 to delete; nothing was changed.\n',
    ]);
    const done = await about(['archive', '--policy'], {}, { retained });
    expect(done.calls).toEqual([['retain', false]]);
    expect(done.stdout).not.toContain('keep');
    expect(done.stderr).toBe('Archived 1, deleted 1.\n');
    const answer = json(await about(['archive', '--policy', '--dry-run', '--json'], {}, { retained }));
    expect(answer).toEqual({ v: 1, ok: true, packets: retained, dryRun: true });
    expect((await about(['archive', '--policy'])).stderr).toBe('No packet is due.\n');
  });

  it.each([
    [['archive', '--policy', 'p-1'], 'needs packets or --older-than or --policy'],
    [['archive', '--older-than', '3', '--force'], '--force is for packets that you name'],
    [['archive'], 'needs packets or --older-than'],
    [['archive', 'p-1', '--older-than', '3'], 'needs packets or --older-than'],
    [['archive', '--older-than=-1'], '--older-than -1 is not a number of 0 or more'],
    [['archive', '--older-than', 'week'], '--older-than cannot be "week"'],
  ])('refuses %j: %s', async (words, message) => {
    const ended = await about(words);
    expect([ended.code, ended.stdout, ended.calls]).toEqual([2, '', []]);
    expect(ended.stderr).toContain(message);
  });
});

describe('docket packet cancel', () => {
  it('gives it up, with a reason for the log', async () => {
    const ended = await about(['cancel', 'p-1', '--reason', 'Not wanted']);
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([0, 'p-1 is canceled\n', '']);
    expect(ended.calls).toEqual([['cancel', 'p-1', { reason: 'Not wanted' }]]);
    const answer = json(await about(['cancel', 'p-1', '--reason', 'x', '--json']));
    expect(answer).toMatchObject({ ok: true, id: 'p-1', status: 'canceled', why: 'x' });
  });
});

describe('docket packet delete', () => {
  const really = ['remove', 'p-1', false];

  it('deletes what it was told to with --yes', async () => {
    const ended = await about(['delete', 'p-1', '--yes']);
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([0, 'p-1\n', 'Deleted 12 files.\n']);
    expect(ended.calls).toContainEqual(really);
    const answer = json(await about(['delete', 'p-1', '--yes', '--json']));
    expect(answer).toEqual({ v: 1, ok: true, id: 'p-1', files: 12, dryRun: false });
  });

  it('refuses without --yes where nobody can be asked, and with --json', async () => {
    const ended = await about(['delete', 'p-1']);
    expect([ended.code, ended.stdout]).toEqual([4, '']);
    expect(ended.stderr).toContain('fix: add --yes');
    const asJson = await about(['delete', 'p-1', '--json'], { tty: true, stdin: '1\n' });
    expect(json(asJson)).toMatchObject({ ok: false, error: { code: 'REFUSED', data: { files: 12 } } });
    expect(asJson.stderr).toBe('');
    expect([...ended.calls, ...asJson.calls]).not.toContainEqual(really);
  });

  it.each([
    ['1\n', 0],
    ['y\n', 0],
    ['YES\n', 0],
    ['2\n', 4],
    ['n\n', 4],
    ['yo\nno\n', 4],
    ['\n', 4],
    ['', 4],
  ])('asks at a terminal: %j', async (stdin, code) => {
    const ended = await about(['delete', 'p-1'], { tty: true, stdin, env: { NO_COLOR: '1' } });
    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain('Delete packet p-1 for good (12 files)?');
    expect(ended.calls.filter(([, , dryRun]) => dryRun === false)).toHaveLength(code === 0 ? 1 : 0);
  });

  it('counts one file as one', async () => {
    const ended = await about(['delete', 'p-1', '--yes'], {}, { files: 1 });
    expect(ended.stderr).toBe('Deleted 1 file.\n');
    expect((await about(['delete', 'p-1'], {}, { files: 1 })).stderr).toContain('all of it (1 file)');
  });

  it('only counts in a dry run, whatever else is said', async () => {
    const ended = await about(['delete', 'p-1', '--dry-run', '--yes']);
    expect([ended.code, ended.stderr]).toEqual([0, '12 files would go; nothing was deleted.\n']);
    expect(ended.calls).toEqual([['remove', 'p-1', true]]);
  });
});

describe('docket packet review', () => {
  const line = ['review', 'pack.md', '/b/report.md'];

  it('hands over the files, and says where the results are', async () => {
    const ended = await about(line);
    expect(ended.calls).toEqual([
      ['review', { contextPack: '/project/pack.md', report: '/b/report.md', out: '/project/.tmp/post-impl' }],
    ]);
    expect(ended.stderr).toContain('The results: /project/.tmp/post-impl\n');
    const other = await about([...line, '../out', '--json']);
    expect(json(other)).toMatchObject({ id: 'p-1', results: '/out' });
  });

  it('ends as its stages did', async () => {
    expect((await about(line, {}, { run: () => ran(failed()) })).code).toBe(1);
    const done = ran(packet({ status: 'done' }));
    expect((await about(line, {}, { run: () => done })).code).toBe(0);
  });

  it('wants both files', async () => {
    const ended = await about(['review', 'pack.md']);
    expect([ended.code, ended.calls]).toEqual([2, []]);
    expect(ended.stderr).toContain('needs <context-pack> <report>');
  });
});

describe('docket packet validate', () => {
  it('names each problem and ends with 2 when one is an error', async () => {
    const warning = {
      severity: 'warning',
      path: 'manifest.yaml',
      line: 3,
      message: 'odd',
      fix: 'mend',
    } as const;
    const fine = await about(['validate', 'p-1'], {}, { findings: [warning] });
    expect([fine.code, fine.stdout]).toEqual([0, 'manifest.yaml:3 warning odd\n  fix: mend\n']);
    const findings = [warning, { ...warning, severity: 'error' as const }];
    const bad = await about(['validate', 'p-1', '--json'], {}, { findings });
    expect(bad.code).toBe(2);
    expect(json(bad)).toMatchObject({ ok: false, error: { code: 'INVALID' }, findings });
  });
});
