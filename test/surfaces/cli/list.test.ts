import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../../src/surfaces/cli/frame/visible.ts';
import type { Finding, Found } from '../../../src/surfaces/cli/frame/world.ts';
import type { Run } from '../../../src/task/run.ts';
import { workStep } from '../../support/queue-history.ts';
import { blocked, docket, json, queued } from './fake-world.ts';

const warning: Finding = {
  severity: 'warning',
  path: '/project/a.yaml',
  line: 2,
  message: 'odd key',
  fix: 'take it out',
};

const now = '2026-03-01T12:00:00Z';

describe('docket list', () => {
  it('prints one aligned row per task into a pipe, with nothing cut', async () => {
    const long = 'x'.repeat(300);
    const tasks = [
      queued({ extras: { queue: { name: 'fix-login' } } }),
      queued({ id: 't2', title: long, owner: 'ann', createdAt: '2026-02-27T12:00:00Z' }),
      blocked({ kind: 'gate', text: 'approve the plan', who: 'bob' }, { id: '三' }),
    ];
    const { code, stdout, stderr } = await docket(['list'], { tasks });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')).toEqual([
      'fix-login  queued      1h  Fix the login test',
      `t2         queued      2d  ${long}  [ann]`,
      '三         blocked     1h  Fix the login test  [bob must act: approve the plan]',
      '',
    ]);
  });

  it.each([20, 40, 60, 80, 120])('fits a terminal of %i columns', async (columns) => {
    const reason = { kind: 'gate', text: '計画を承認する '.repeat(9), who: 'bob' } as const;
    const tasks = [
      queued({ id: 'n'.repeat(100), title: '日本語'.repeat(60) }),
      queued({ title: 'a\u001B]0;evil\u0007\rb'.repeat(30) }),
      blocked(reason, { title: 'long title '.repeat(20) }),
      blocked(reason, { title: 'short' }),
    ];
    const { stdout } = await docket(['list', '--no-color'], { tasks, tty: true, columns });
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/^NAME +ST/);
    // Below 40 columns the fixed columns alone fill the row.
    const most = Math.max(columns, 40);
    expect(lines.filter((line) => displayWidth(line) > most)).toEqual([]);
    // oxlint-disable-next-line no-control-regex
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000B-\u001F]/);
  });

  it('shares a row between the title and why the task stands still', async () => {
    const reason = { kind: 'gate', text: 'read the plan and approve it', who: 'bob' } as const;
    const rows = async (title: string, columns: number) =>
      (await docket(['list'], { tasks: [blocked(reason, { title })], env: { COLUMNS: String(columns) } }))
        .stdout;
    expect(await rows('short', 60)).toBe('t1    blocked     1h  short  [bob must act: read the plan …]\n');
    expect(await rows('long title '.repeat(9), 60)).toBe(
      't1    blocked     1h  long title long ti…  [bob must act: …]\n',
    );
    expect(await rows('a title', 40)).toBe('t1    blocked     1h  a title\n');
  });

  it('colours the status on a terminal', async () => {
    const { stdout } = await docket(['list'], {
      tasks: [blocked({ kind: 'gate', text: 't', who: 'w' })],
      tty: true,
    });
    expect(stdout).toContain('\u001B[33mblocked');
  });

  it('says what a task waits for, by name where it is in the list', async () => {
    const tasks = [
      queued({ id: 'a', extras: { queue: { name: 'first' } } }),
      queued({ id: 'b', title: 'Then' }),
    ];
    const waits: Found['waits'] = {
      b: [
        { on: 'a', status: 'queued' },
        { on: 'zzz', status: 'missing' },
      ],
    };
    const { stdout } = await docket(['list'], { tasks, waits });
    expect(stdout).toContain('Then  [waits for first (queued), zzz (missing)]');
  });

  it('says where a task is: workflow, step and branch', async () => {
    const run: Run = {
      n: 1,
      goal: 'x',
      startedAt: '2026-03-01T11:00:00Z',
      steps: ['plan', 'implement', 'review'].map((id) => workStep(id)),
      rounds: [0],
      orders: [''],
      states: {
        plan: { state: 'done', since: '2026-03-01T11:00:00Z' },
        implement: { state: 'running', since: '2026-03-01T11:00:00Z' },
      },
      gates: {},
    };
    const spec = { body: '', workflow: 'default' };
    const tasks = [
      queued({ spec, run, extras: { queueRun: { branch: 'takt/fix' } } }),
      queued({ id: 't2', extras: { queue: { branch: 'wished' } } }),
      queued({ id: 't3', extras: { queue: { branch: 7 } } }),
    ];
    const rows = (await docket(['list'], { tasks })).stdout.split('\n');
    expect(rows[0]).toContain('[default/implement on takt/fix]');
    expect(rows[1]).toContain('[on wished]');
    expect(rows[2]).toMatch(/Fix the login test$/);
  });

  it('says where finished work is, and the first line of a long reason', async () => {
    const extras = { queueRun: { branch: 'takt/x', merged: { into: 'main', commit: 'c0ffee' } } };
    const over = { status: 'done', summary: 'ok', evidence: [], startedAt: now, finishedAt: now } as const;
    const tasks = [
      { ...queued({ owner: 'docket-7', extras }), ...over },
      blocked({ kind: 'setup', text: 'line 4 is wrong\nline 7 too', who: 'a person' }, { id: 't2' }),
    ];
    const rows = (await docket(['list'], { tasks })).stdout.split('\n');
    expect(rows[0]).toContain('[merged into main]');
    expect(rows[1]).toContain('[a person must act: line 4 is wrong]');
  });

  it('leaves archived tasks out, unless all are wanted', async () => {
    const archivedAt = '2026-03-01T11:00:00Z';
    const tasks = [queued({ id: 'old', archivedAt }), queued({ extras: { queue: { archivedAt } } })];
    expect((await docket(['list'], { tasks })).stdout).not.toContain('old');
    expect((await docket(['list', '--all'], { tasks })).stdout).toContain('old');
    expect(json(await docket(['list', '--json'], { tasks }))['tasks']).toEqual([tasks[1]]);
    expect(json(await docket(['list', '--json', '--all'], { tasks }))['tasks']).toEqual(tasks);
  });

  it('does not prompt without a terminal', async () => {
    expect(await docket(['list', '-i'], { tasks: [queued()] })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('needs a terminal') as string,
    });
  });

  it('answers with the tasks and the findings as JSON', async () => {
    const tasks = [queued({ title: 'odd \u001B[31m\u202E title' })];
    const ended = await docket(['list', '--json'], { tasks, findings: [warning] });
    expect(ended.stderr).toBe('');
    expect(json(ended)).toEqual({ v: 1, ok: true, tasks, waits: {}, findings: [warning] });
  });

  it('hands the statuses to docket', async () => {
    expect((await docket(['list'])).queries).toEqual([{}]);
    const { queries } = await docket(['list', '--status', 'done,failed', '--status=queued']);
    expect(queries).toEqual([{ status: ['done', 'failed', 'queued'] }]);
  });

  it('tells on stderr how to add when there is nothing', async () => {
    expect(await docket(['list'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('docket add'),
    });
    const none = await docket(['list', '--status', 'done,failed']);
    expect(none.stderr).toBe('No task is done or failed. All tasks: docket list\n');
    expect(await docket(['list', '--quiet'])).toMatchObject({ stdout: '', stderr: '' });
    expect(json(await docket(['list', '--json']))).toEqual({
      v: 1,
      ok: true,
      tasks: [],
      waits: {},
      findings: [],
    });
  });

  it('warns on stderr; only errors are loud enough for --quiet', async () => {
    const findings: Finding[] = [warning, { ...warning, severity: 'error', column: 7, message: 'bad\nkey' }];
    const tasks = [queued()];
    const ended = await docket(['list'], { tasks, findings });
    expect(ended.code).toBe(0);
    expect(ended.stderr.split('\n')).toEqual([
      'a.yaml:2 warning odd key',
      '  fix: take it out',
      String.raw`a.yaml:2:7 error bad\nkey`,
      '  fix: take it out',
      '',
    ]);
    expect((await docket(['list', '--quiet'], { tasks, findings })).stderr).not.toContain('warning');
  });

  it('builds 10,000 rows in a moment', async () => {
    const tasks = Array.from({ length: 10_000 }, (_, n) =>
      queued({ id: `t${n}`, title: `日本語 task ${n}` }),
    );
    const before = performance.now();
    const { stdout } = await docket(['list'], { tasks, tty: true, columns: 100, env: { CI: '1' } });
    expect(performance.now() - before).toBeLessThan(2000);
    expect(stdout.split('\n')).toHaveLength(10_002);
  });
});
