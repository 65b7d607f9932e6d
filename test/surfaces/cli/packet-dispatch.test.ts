import { describe, expect, it } from 'vitest';
import { DocketError, type ErrorCode } from '../../../src/errors.ts';
import type { RanPacket } from '../../../src/kinds/packet/api.ts';
import { blocked, failed, fakePackets, packet, ran } from './fake-packets.ts';
import { docket, json } from './fake-world.ts';

const done = ran(packet({ status: 'done' }));
const task = ['--task', '.tmp/task/p-1'];

function dispatch(words: string[], out: () => RanPacket = () => done) {
  const { packets, calls } = fakePackets({ packets: [packet()], run: out });
  return docket(['packet', 'dispatch', ...words], { packets }).then((ended) => ({ ...ended, calls }));
}

describe('docket packet dispatch', () => {
  it.each([
    [['pipeline', ...task], {}],
    [['pipeline', ...task, '--plan', 'auto'], {}],
    [['pipeline', '--task', '/project/.tmp/task/p-1/', '--plan', 'codex_only'], { plan: 'codex_only' }],
    [['pipeline', ...task, '--stage', 'codex_impl'], {}],
    [['single', ...task, '--stage', 'codex_impl'], { stage: 'codex_impl' }],
    [['single', '--task', './.tmp/task/../task/p-1', '--stage', 'codex_impl'], { stage: 'codex_impl' }],
  ])('%j runs', async (words, input) => {
    const ended = await dispatch(words);
    expect([ended.code, ended.calls]).toEqual([0, [['run', 'p-1', input]]]);
    expect(ended.stdout).toContain('p-1 is done\n');
  });

  it('warns of what it does not know, and goes on', async () => {
    const ended = await dispatch(['pipeline', ...task, '--phase', 'impl\u0007', '--task-root=x', '-q']);
    expect(ended.code).toBe(0);
    expect(ended.stderr.split('\n').slice(0, 4)).toEqual([
      'warning: --phase is unknown; going on',
      'warning: --task-root is unknown; going on',
      'warning: -q is unknown; going on',
      String.raw`warning: impl\x07 is unknown; going on`,
    ]);
  });

  it.each([
    ['done', 0, done],
    ['failed', 1, ran(failed())],
    ['failed by the clock', 1, ran(failed({ exitCode: 124 }))],
    ['a person must act', 1, ran(blocked('auth', 'human'))],
    ['a limit', 1, ran(blocked('limit', 'docket'))],
    ['interrupted', 1, ran(packet(), { interrupted: true })],
  ])('%s: %i', async (_what, code, out) => {
    expect((await dispatch(['pipeline', ...task], () => out)).code).toBe(code);
    const ended = await dispatch(['pipeline', ...task, '--json'], () => out);
    expect(ended.code).toBe(code);
    expect(json(ended)).toMatchObject({ ok: code === 0, id: 'p-1', status: out.status });
  });

  it.each<[ErrorCode, number]>([
    ['NOT_FOUND', 2],
    ['USAGE', 2],
    ['INVALID', 1],
    ['REFUSED', 1],
    ['LOCK_TIMEOUT', 1],
  ])('an error of the kind %s ends with %i, and is told', async (kind, code) => {
    const ended = await dispatch(['pipeline', ...task], () => {
      throw new DocketError(kind, 'the manifest is odd', 'mend it');
    });
    expect([ended.code, ended.stdout]).toEqual([code, '']);
    const where = kind === 'NOT_FOUND' ? '  in: /project\n' : '';
    expect(ended.stderr).toBe(`error: the manifest is odd\n${where}  fix: mend it\n`);
  });

  it.each([
    [[], 'cannot do ""'],
    [['both', ...task], 'cannot do "both"'],
    [['pipeline'], 'docket packet dispatch needs --task'],
    [['single', ...task], 'docket packet dispatch needs --stage'],
    [['pipeline', '--task', '.tmp/task/nope'], 'there is no packet nope'],
  ])('%j ends with 2: %s', async (words, message) => {
    const ended = await dispatch(words);
    expect([ended.code, ended.stdout, ended.calls]).toEqual([2, '', []]);
    expect(ended.stderr).toContain(message);
    expect(json(await dispatch([...words, '--json']))).toMatchObject({ ok: false });
  });
});
