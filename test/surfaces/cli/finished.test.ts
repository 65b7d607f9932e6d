import { describe, expect, it } from 'vitest';
import { DocketError } from '../../../src/errors.ts';
import type { Cleaned, FinishedWork, MergedTask } from '../../../src/kinds/queue/finished.ts';
import type { DiskUse } from '../../../src/project/disk.ts';
import { docket, json, queued, type Setting } from './fake-world.ts';

const task = queued({ id: 't1', extras: { queue: { name: 'fix-login' } } });
const other = queued({ id: 't2', extras: { queue: { name: 'two' } } });

/** The command line over work of this kind, and what it asked for. */
async function about(argv: string[], answers: Partial<FinishedWork> = {}, setting: Setting = {}) {
  const calls: unknown[][] = [];
  const noted = <A extends unknown[], R>(name: string, answer: (...args: A) => Promise<R>) => {
    return (...args: A) => {
      calls.push([name, ...args]);
      return answer(...args);
    };
  };
  const finished: FinishedWork = {
    diff: noted('diff', answers.diff ?? (async () => ({ task, text: '+x\u001B[31m\n', base: 'c0ffee' }))),
    merge: noted('merge', answers.merge ?? (async () => [])),
    pullRequest: noted(
      'pr',
      answers.pullRequest ?? (async () => ({ task, url: 'https://example.com/7', isNew: true })),
    ),
    remove: noted(
      'remove',
      answers.remove ?? (async (_refs, { dryRun }) => [{ task, dryRun, workspace: '/w/t1' }]),
    ),
    restore: noted(
      'restore',
      answers.restore ?? (async (_ref, dryRun) => ({ task, dryRun, branch: 'takt/x' })),
    ),
    clean: noted(
      'clean',
      answers.clean ?? (async ({ dryRun }) => ({ workspaces: [], bytesBefore: 0, bytesAfter: 0, dryRun })),
    ),
  };
  return { ...(await docket(argv, { finished, ...setting })), calls };
}

describe('docket diff', () => {
  it('prints what git said, and nothing that a terminal obeys', async () => {
    expect((await about(['diff', 'fix-login'])).stdout).toBe('+x\u001B[31m\n');
    expect((await about(['diff', 'fix-login'], {}, { tty: true })).stdout).toBe('+x\\e[31m\n');
    expect((await about(['diff', 't1', '--stat'])).calls).toEqual([['diff', 't1', 'stat']]);
    expect((await about(['diff', 't1', '--name-only'])).calls).toEqual([['diff', 't1', 'names']]);
    expect((await about(['diff', 't1', '--name-only', '--stat'])).code).toBe(2);
    expect(json(await about(['diff', 't1', '--json']))).toMatchObject({
      id: 't1',
      form: 'patch',
      base: 'c0ffee',
    });
    const nothing = await about(['diff', 't1'], { diff: async () => ({ task, text: '', base: 'x' }) });
    expect([nothing.stdout, nothing.stderr]).toEqual(['', 'It changed nothing.\n']);
  });
});

describe('docket merge', () => {
  const merged: MergedTask[] = [
    { task, into: 'main', state: 'merged', commit: 'c0ffee00000000' },
    { task, into: 'main', state: 'conflict', files: ['a\n'], reason: 'conflicts in a\n', evidence: 'e.md' },
    { task, into: 'main', state: 'refused', reason: 'dirty' },
  ];

  it('asks for tasks or for all of them', async () => {
    expect((await about(['merge'])).code).toBe(2);
    expect((await about(['merge', 't1', '--queue'])).code).toBe(2);
    const { calls } = await about(['merge', 't1', 't2', '--into', 'dev', '--squash']);
    expect(calls[0]?.[1]).toMatchObject({ tasks: ['t1', 't2'], into: 'dev', squash: true, dryRun: false });
    const all = await about(['merge', '--queue', '--dry-run']);
    expect(all.calls[0]?.[1]).not.toHaveProperty('tasks');
    expect([all.code, all.stderr]).toEqual([0, 'Nothing is finished and not merged. See all: docket list\n']);
  });

  it('has one row each, and a code that says who must act', async () => {
    const ended = await about(['merge', '--queue'], { merge: async () => merged });
    expect([ended.code, ended.stdout]).toEqual([
      5,
      'merged  fix-login  into main (c0ffee0000)\n' +
        'conflict  fix-login  conflicts in a\\n\n' +
        'refused  fix-login  dirty\n',
    ]);
    expect((await about(['merge', 't1'], { merge: async () => merged.slice(0, 1) })).code).toBe(0);
    expect((await about(['merge', 't1'], { merge: async () => merged.slice(2) })).code).toBe(4);
    const answer = json(await about(['merge', '--queue', '--json'], { merge: async () => merged }));
    expect(answer).toMatchObject({
      ok: false,
      error: { code: 'NEEDS_PERSON' },
      tasks: [{ id: 't1', state: 'merged' }, {}, {}],
    });
  });

  it('says once what refuses many of them', async () => {
    const no: MergedTask = { task, into: 'main', state: 'refused', reason: 'dirty' };
    const ended = await about(['merge', '--queue'], {
      merge: async () => [no, { ...no, reason: 'gone' }, no, no],
    });
    expect(ended.stdout).toBe(
      'refused  3 tasks (fix-login, fix-login, fix-login)  dirty\nrefused  fix-login  gone\n',
    );
  });

  it('ends with 130 when it is interrupted, and passes other errors on', async () => {
    const stop = new AbortController();
    const merge: FinishedWork['merge'] = async ({ signal }) => {
      stop.abort();
      signal.throwIfAborted();
      return [];
    };
    const ended = await about(['merge', '--queue', '--json'], { merge }, { stop: stop.signal });
    expect(ended.code).toBe(130);
    expect(JSON.parse(ended.stdout)).toMatchObject({ ok: false, error: { code: 'RUN' } });
    const error = new DocketError('LOCK_TIMEOUT', 'busy', 'wait');
    expect((await about(['merge', '--queue'], { merge: () => Promise.reject(error) })).code).toBe(75);
  });
});

describe('docket pr, delete and restore', () => {
  it('print what came of it', async () => {
    const pr = await about(['pr', 't1', '--draft', '--title', 'T', '--remote', 'up']);
    expect([pr.stdout, pr.calls]).toEqual([
      'https://example.com/7\n',
      [['pr', 't1', { remote: 'up', draft: true, title: 'T' }]],
    ]);
    const gone = await about(['delete', 'fix-login', '--keep-as', 'x'], {}, { env: { USER: 'ann' } });
    expect([gone.stdout, gone.calls]).toEqual([
      'deleted t1 fix-login: workspace /w/t1\n',
      [['remove', ['fix-login'], { dryRun: false, by: 'ann', keepAs: 'x' }]],
    ]);
    expect(gone.stderr).toContain('docket restore t1');
    expect((await about(['delete', 't1', '--dry-run'])).stdout).toBe(
      'would delete t1 fix-login: workspace /w/t1\n',
    );
    const again = await about(['delete', 't1'], {
      remove: async () => [{ task, dryRun: false, already: true, workspace: '/w/t1' }],
    });
    expect([again.code, again.stdout]).toEqual([0, 'fix-login was deleted already\n']);
    expect((await about(['restore', 't1'])).stdout).toBe('restored t1 fix-login (queued): branch takt/x\n');
    expect((await about(['restore', 't1', '--dry-run'])).stdout).toBe(
      'would restore t1 fix-login: branch takt/x\n',
    );
  });

  it('answer in JSON', async () => {
    expect(json(await about(['pr', 't1', '--json']))).toMatchObject({
      ok: true,
      id: 't1',
      url: 'https://example.com/7',
    });
    expect(json(await about(['delete', 't1', '--json']))).toMatchObject({
      ok: true,
      id: 't1',
      dryRun: false,
    });
    const both = {
      remove: async () => [
        { task, dryRun: true },
        { task: other, dryRun: true },
      ],
    };
    expect(json(await about(['delete', 't1', 't2', '--dry-run', '--json'], both))).toEqual({
      v: 1,
      ok: true,
      tasks: [
        { id: 't1', status: 'queued', name: 'fix-login', dryRun: true },
        { id: 't2', status: 'queued', name: 'two', dryRun: true },
      ],
    });
    expect(json(await about(['restore', 't1', '--json']))).toMatchObject({
      ok: true,
      id: 't1',
      branch: 'takt/x',
    });
    const error = new DocketError('REFUSED', 'would be lost', 'keep it', { losses: [] });
    const refused = await about(['delete', 't1', '--json'], { remove: () => Promise.reject(error) });
    expect([refused.code, json(refused)]).toMatchObject([4, { ok: false, error: { code: 'REFUSED' } }]);
  });
});

describe('docket disk and clean', () => {
  const use: DiskUse = {
    layout: 'queue',
    id: 't1',
    name: 'fix-login',
    status: 'done',
    bytes: 1_450_000_000,
    parts: [
      { kind: 'attempts', path: '/r/attempts/t1', bytes: 450_000_000 },
      { kind: 'workspace', path: '/w/\u001B[31mt1', bytes: 1_000_000_000 },
    ],
  };
  const disk = async () => [use];

  it('say what takes up how much; --json says where', async () => {
    const shown = await about(['disk'], {}, { disk });
    expect(shown.stdout).toBe('1.4 GB  fix-login  done  workspace 1.0 GB, attempts 450 MB\n');
    expect(shown.stderr).toContain('1.4 GB in all, 1.0 GB of it in workspaces.\n');
    expect((await about(['disk', '--by', 'kind'], {}, { disk })).stdout).toBe(
      '1.0 GB  workspace\n450 MB  attempts\n',
    );
    expect(json(await about(['disk', '--json'], {}, { disk }))).toMatchObject({
      bytes: use.bytes,
      kinds: { workspace: 1_000_000_000 },
      tasks: [{ id: 't1', parts: use.parts }],
    });
  });

  it('name what is kept with its reason and what to do, and end with 5 while it is too much', async () => {
    const one = {
      id: 't1',
      status: 'done',
      workspace: '/w/t1',
      bytes: 2e9,
      finishedAt: '2026-03-01T00:00:00Z',
    };
    const cleaned: Cleaned = {
      workspaces: [
        { ...one, status: 'done', name: 'one', action: 'remove', why: 'ended 20 days ago' },
        { ...one, status: 'done', name: 'two', action: 'keep', why: 'a\nb', fix: 'docket merge two' },
      ],
      bytesBefore: 4e9,
      bytesAfter: 2e9,
      maxBytes: 1e9,
      dryRun: true,
    };
    const asked = ['clean', '--older-than', '2w', '--max-size', '1GB', '--dry-run'];
    const shown = await about(asked, { clean: async () => cleaned });
    expect(shown.stdout).toBe(
      'would remove one (2.0 GB, /w/t1): ended 20 days ago\n' +
        'kept two (2.0 GB, /w/t1): a\n  b\n  fix: docket merge two\n',
    );
    expect(shown.stderr).toContain('1 would go, 1 kept; workspaces take up 2.0 GB instead of 4.0 GB.');
    expect(shown.code).toBe(5);
    expect(shown.calls).toEqual([
      ['clean', { dryRun: true, by: 'human', olderThanMs: 14 * 86_400_000, maxBytes: 1e9 }],
    ]);
    const asJson = await about([...asked, '--json'], { clean: async () => cleaned });
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      ok: false,
      error: { code: 'NEEDS_PERSON', message: 'workspaces take up 2.0 GB, more than 1.0 GB' },
      workspaces: [{ name: 'one' }, { name: 'two' }],
    });
    expect((await about(['clean'])).stderr).toBe('Nothing is due: workspaces take up 0 B.\n');
    for (const wrong of [
      ['--max-size', '10'],
      ['--older-than', 'soon'],
    ])
      expect((await about(['clean', ...wrong])).code).toBe(2);
  });
});
