import { describe, expect, it } from 'vitest';
import type { RanPacket } from '../../../src/kinds/packet/api.ts';
import { blocked, failed, fakePackets, packet, ran, stages } from './fake-packets.ts';
import { docket, json, type Setting } from './fake-world.ts';

const done = ran(packet({ status: 'done', stages: [stages[0]!, { ...stages[1]!, state: 'done' }] }));

/** `docket packet run|resume …` of a packet that comes out like this. */
function go(words: string[], out: RanPacket, setting: Setting = {}) {
  const { packets, calls } = fakePackets({ packets: [packet()], run: () => out });
  return docket(['packet', ...words], { packets, ...setting }).then((ended) => ({ ...ended, calls }));
}

describe('docket packet run', () => {
  it('prints what came of it, and where to look first', async () => {
    const ended = await go(['run', 'p-1'], done);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toBe('gemini_brief  done  exit 0  12s\ncodex_impl    done\np-1 is done\n');
    expect(ended.stderr).toBe('Look here first: .tmp/task/p-1/outputs/_summary.md\n');
    expect(ended.calls).toEqual([['run', 'p-1', {}]]);
    const { stdout, stderr, calls } = ended;
    expect(await go(['resume', 'p-1'], done)).toMatchObject({ code: 0, stdout, stderr, calls });
    expect(await go(['run', 'p-1', '--quiet'], done)).toMatchObject({ stdout: ended.stdout, stderr: '' });
  });

  it('says why a stage failed, and how it goes on', async () => {
    const ended = await go(['run', 'p-1'], ran(failed({ reasons: ['no\u0007 diff', 'too long'] })));
    expect(ended.stdout.split('\n').slice(1)).toEqual([
      String.raw`codex_impl    failed  exit 0  3s   no\x07 diff; too long`,
      'p-1 is failed: the gate refused codex_impl',
      '',
    ]);
    expect(ended.stderr).toContain('Next: mend it, then docket packet resume p-1\n');
    const elsewhere = await go(['run', 'p-1', '--root', 'a b'], ran(failed()));
    expect(elsewhere.stderr).toContain("docket packet resume p-1 --root 'a b'\n");
  });

  it('offers to let the agent try again where its work was refused', async () => {
    const out = ran({ ...failed(), makeAnewFrom: 'codex_impl' });
    const line = 'docket packet run p-1 --from codex_impl';
    expect((await go(['run', 'p-1'], out)).stderr).toContain(`Or let the agent try again: ${line}\n`);
    expect(json(await go(['run', 'p-1', '--json'], out))['makeAnewFrom']).toBe('codex_impl');
  });

  it('does not say twice that it failed', async () => {
    const out = ran(packet({ status: 'failed' }, { failure: { error: 'failed: codex_impl (see x)' } }));
    expect((await go(['run', 'p-1'], out)).stdout).toContain('p-1 is failed: codex_impl (see x)\n');
  });

  const rest = [{ ...stages[0]!, state: 'failed', exitCode: 124 }, stages[1]!];
  it.each([
    ['all done', 0, done],
    ['failed', 1, ran(failed())],
    ['canceled meanwhile', 1, ran(packet({ status: 'canceled' }, { canceledBecause: 'x' }))],
    ['failed by the clock', 124, ran(failed({ exitCode: 124 }))],
    ['nobody is logged in', 5, ran(blocked('auth', 'human'))],
    ['a person must act after a timeout', 5, ran({ ...blocked('budget', 'human'), stages: rest })],
    ['a limit', 75, ran(blocked('limit', 'docket'))],
    ['not finished', 75, ran(packet())],
    ['interrupted', 130, ran(failed(), { interrupted: true })],
  ])('%s: exit code %i, also as JSON', async (_what, code, out) => {
    expect((await go(['run', 'p-1'], out)).code).toBe(code);
    const ended = await go(['run', 'p-1', '--json'], out);
    expect([ended.code, ended.stderr]).toEqual([code, '']);
    expect(json(ended)).toMatchObject({
      v: 1,
      ok: code === 0,
      id: 'p-1',
      status: out.status,
      stages: out.stages,
      interrupted: out.interrupted,
      summary: out.summary,
      ...(code !== 0 && { error: { code: 'RUN', data: { exitCode: code } } }),
    });
  });

  it('judges a stage that ran alone by itself', async () => {
    const out = ran(failed());
    expect((await go(['run', 'p-1', '--stage', 'gemini_brief'], out)).code).toBe(0);
    expect((await go(['run', 'p-1', '--stage', 'codex_impl'], out)).code).toBe(1);
    const slow = ran({ ...failed(), stages: [...rest, failed().stages[1]!] });
    expect((await go(['run', 'p-1', '--stage', 'codex_impl'], slow)).code).toBe(1);
  });

  it('hands over what is to run', async () => {
    const single = await go(['run', 'p-1', '--stage', 'codex_impl', '--force', '--plan', 'codex_only'], done);
    expect(single.calls).toEqual([['run', 'p-1', { stage: 'codex_impl', force: true, plan: 'codex_only' }]]);
    const from = await go(['resume', 'p-1', '--from', 'codex_verify'], done);
    expect(from.calls).toEqual([['run', 'p-1', { from: 'codex_verify' }]]);
  });

  it.each([
    [['--from', 'a', '--stage', 'b'], '--from and --stage say different things'],
    [['--from', 'a', '--force'], '--from and --force say different things'],
    [['--from'], '--from needs a value'],
    [['--froom', 'a'], 'did you mean --from?'],
    [['p-2'], 'takes no more than 1'],
  ])('refuses %j: %s', async (words, message) => {
    const ended = await go(['run', 'p-1', ...words], done);
    expect([ended.code, ended.stdout, ended.calls]).toEqual([2, '', []]);
    expect(ended.stderr).toContain(message);
  });

  it('stops at Ctrl-C', async () => {
    const person = new AbortController();
    const { packets } = fakePackets({
      packets: [packet()],
      run: ({ signal }) => {
        person.abort();
        return ran(packet(), { interrupted: signal.aborted });
      },
    });
    const ended = await docket(['packet', 'run', 'p-1'], { packets, stop: person.signal });
    expect(ended.code).toBe(130);
    expect(ended.stderr).toContain('stopping: the agent ends');
    expect(ended.stderr).toContain('Next: docket packet resume p-1\n');
  });
});

describe('docket packet run --dry-run', () => {
  const plan = {
    profile: 'safe_impl',
    stages: [
      { stage: 'gemini_brief', model: 'pro', runs: false, why: 'done' },
      { stage: 'codex_impl', model: 'gpt-5.3-codex', runs: true, why: 'the request has changed' },
    ],
  };
  const dry = (...words: string[]) => {
    const { packets, calls } = fakePackets({ packets: [packet()], plan });
    const line = ['packet', 'run', 'p-1', '--dry-run', ...words];
    return docket(line, { packets }).then((ended) => ({ ...ended, calls }));
  };

  it('shows each stage and why it runs; starts nothing', async () => {
    const ended = await dry('--plan', 'safe_impl');
    expect([ended.code, ended.calls]).toEqual([0, [['plan', 'p-1', { plan: 'safe_impl' }]]]);
    expect(ended.stdout).toBe(
      'skip  gemini_brief  pro            done\nrun   codex_impl    gpt-5.3-codex  the request has changed\n',
    );
    expect(ended.stderr).toBe('Profile safe_impl. Nothing was started.\n');
  });

  it.each([
    [['--from', 'codex_impl'], { from: 'codex_impl' }],
    [['--stage', 'codex_impl'], { stage: 'codex_impl' }],
    [['--force'], { force: true }],
  ])('takes %j', async (words, wish) => {
    expect(await dry(...words)).toMatchObject({ code: 0, calls: [['plan', 'p-1', wish]] });
  });

  it('is one value with --json', async () => {
    expect(json(await dry('--json'))).toEqual({ v: 1, ok: true, id: 'p-1', ...plan });
  });
});
