import { describe, expect, it } from 'vitest';
import { blocked, failed, fakePackets, packet } from './fake-packets.ts';
import { docket, json } from './fake-world.ts';

describe('docket packet status', () => {
  const show = (one = packet(), ...words: string[]) =>
    docket(['packet', 'status', 'p-1', ...words], { packets: fakePackets({ packets: [one] }).packets });

  it('shows stages, budget and the next command', async () => {
    const one = failed({ reasons: ['out of scope: a\u001B[2J'] });
    const spec = { body: '', budget: { seconds: 900, tokens: 5000, money: 1.5 } };
    const ended = await show({ ...one, task: { ...one.task, spec } });
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect(ended.stdout.split('\n')).toEqual([
      'id: p-1',
      'goal: Retry failed logins',
      'intent: safe_impl',
      'status: failed',
      'why: the gate refused codex_impl',
      'budget: 1 of 10 calls used, 900 s, 5000 tokens, $1.5',
      'stages: 2 (1 done, 1 failed)',
      '  gemini_brief  done    exit 0  12s',
      String.raw`  codex_impl    failed  exit 0  3s   out of scope: a\e[2J`,
      'folder: .tmp/task/p-1',
      'next: docket packet resume p-1',
      '',
    ]);
  });

  it('offers to let the agent try again', async () => {
    const { stdout } = await show({ ...failed(), makeAnewFrom: 'codex_impl' });
    expect(stdout).toMatch(/\n {2}or: docket packet run p-1 --from codex_impl \(the agent tries again\)\n$/);
  });

  it.each([
    ['queued', {}, 'run'],
    ['blocked', { reason: { kind: 'auth', text: 'x', who: 'human' } }, 'resume'],
    ['done', { summary: 'ok' }, 'archive'],
    ['running', { owner: 'docket-7' }, undefined],
  ] as const)('%s: what comes next', async (status, task, word) => {
    const ended = json(await show(packet({ status }, task), '--json'));
    expect(ended['next']).toBe(word && `docket packet ${word} p-1`);
  });

  it('is one value with --json', async () => {
    const one = blocked('auth', 'human');
    expect(json(await show(one, '--json'))).toEqual({
      v: 1,
      ok: true,
      id: 'p-1',
      status: 'blocked',
      dir: '.tmp/task/p-1',
      goal: 'Retry failed logins',
      intent: 'safe_impl',
      stages: one.stages,
      calls: { used: 1, budget: 10 },
      why: 'human must act: log in first',
      next: 'docket packet resume p-1',
    });
  });
});

describe('docket packet status of an archived one', () => {
  const facts = { status: 'done', dir: '.tmp/archive/p-1', archived: true } as const;
  const one = { ...packet(facts, { archivedAt: '2026-03-02T00:00:00Z' }), makeAnewFrom: 'codex_impl' };
  const show = (...words: string[]) =>
    docket(['packet', 'status', 'p-1', ...words], { packets: fakePackets({ packets: [one] }).packets });

  it('says where it lies, and offers no command', async () => {
    const { stdout } = await show();
    expect(stdout).toContain('status: done\narchived: in .tmp/archive/p-1 since 2026-03-02T00:00:00Z\n');
    expect(stdout).not.toMatch(/next:|or:/);
    const answer = json(await show('--json'));
    expect(answer).toMatchObject({ archived: true, dir: '.tmp/archive/p-1' });
    expect(answer).not.toHaveProperty('next');
  });

  it('is listed with its like', async () => {
    const list = (...words: string[]) =>
      docket(['packet', 'list', ...words], {
        packets: fakePackets({ packets: [one, packet({ id: 'p-2' })] }).packets,
      });
    expect((await list()).stdout).toMatch(/^p-2 .*\n$/);
    expect((await list('--archived')).stdout).toMatch(/^p-1 .*\n$/);
    const none = await docket(['packet', 'list', '--archived']);
    expect(none.stderr).toBe('No packets in the archive.\n');
  });
});

describe('docket packet list', () => {
  const finding = { severity: 'error', path: 'x/manifest.yaml', message: 'no goal', fix: 'add it' } as const;
  const several = [packet({ id: 'p-1' }), packet({ id: 'p-10', status: 'done' }), blocked('auth', 'human')];
  const list = (words: string[] = [], setting = {}) => {
    const all = several.map((one, n) => ({ ...one, id: `p-${n}` }));
    const { packets } = fakePackets({ packets: all, findings: [finding] });
    return docket(['packet', 'list', ...words], { packets, ...setting });
  };

  it('prints one row each, and what cannot be read on stderr', async () => {
    const ended = await list();
    expect(ended.code).toBe(0);
    expect(ended.stdout.split('\n')).toEqual([
      'p-0  queued   1/2  safe_impl  Retry failed logins',
      'p-1  done     1/2  safe_impl  Retry failed logins',
      'p-2  blocked  1/2  safe_impl  Retry failed logins  [human must act: log in first]',
      '',
    ]);
    expect(ended.stderr).toBe('x/manifest.yaml error no goal\n  fix: add it\n');
  });

  it('has a heading for people', async () => {
    const { stdout } = await list([], { tty: true, columns: 60, env: { NO_COLOR: '1' } });
    expect(stdout.split('\n')[0]).toBe('ID   STATUS   STAGES  INTENT     GOAL');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(60);
  });

  it('is one value with --json', async () => {
    const { packets, findings } = json(await list(['--json'])) as { packets: object[]; findings: object[] };
    expect(packets).toHaveLength(3);
    expect(packets[1]).toMatchObject({ id: 'p-1', status: 'done', intent: 'safe_impl' });
    expect(findings).toEqual([finding]);
  });

  it('says what to do when there is none', async () => {
    const ended = await docket(['packet', 'list']);
    expect([ended.code, ended.stdout]).toEqual([0, '']);
    expect(ended.stderr).toContain('docket packet new');
  });
});

describe('docket packet config', () => {
  const config = {
    value: {
      profile: 'safe_impl',
      stage_models: { codex_impl: 'gpt-5.3-codex\u0007' },
      flags: { enable_brief: true, more: [] },
      models: ['pro', 'flash'],
    },
    sources: {
      profile: '.tmp/task/p-1/manifest.yaml',
      stage_models: 'configs/pipeline/impl-pipeline.yaml',
      'flags.enable_brief': 'built in',
    },
  };
  const show = (...words: string[]) => {
    const { packets, calls } = fakePackets({ config });
    return docket(['packet', 'config', ...words], { packets }).then((ended) => ({ ...ended, calls }));
  };

  it('prints each value, and the file it came from', async () => {
    const ended = await show('p-1');
    expect([ended.code, ended.calls]).toEqual([0, [['config', 'p-1']]]);
    expect(ended.stdout.split('\n')).toEqual([
      'profile                  .tmp/task/p-1/manifest.yaml          safe_impl',
      String.raw`stage_models.codex_impl  configs/pipeline/impl-pipeline.yaml  gpt-5.3-codex\x07`,
      'flags.enable_brief       built in                             true',
      'flags.more               -',
      'models                   -                                    pro, flash',
      '',
    ]);
  });

  it('is one value with --json, without a packet too', async () => {
    const { value, sources } = config;
    expect(json(await show('--json'))).toEqual({ v: 1, ok: true, config: value, sources });
    expect(json(await show('p-1', '--json'))).toMatchObject({ id: 'p-1', config: value });
  });
});
