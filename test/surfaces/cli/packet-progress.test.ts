import { describe, expect, it } from 'vitest';
import type { Progress } from '../../../src/engine/progress.ts';
import { FakeClock } from './fake-clock.ts';
import { failed, fakePackets, packet, ran } from './fake-packets.ts';
import { docket, type Setting } from './fake-world.ts';

const ref = { kind: 'packet', id: 'p-1', name: 'p-1', title: 'Retry failed logins' } as const;
const about = { ref, step: 'codex_impl', title: 'codex_impl', role: '', agent: 'codex' };
const started: Progress = { ...about, kind: 'step', attempt: 1 };
const ended = { ...about, kind: 'stepped', summary: '', tail: [] } as const;
const completed: Progress = { ...ended, state: 'done', exitCode: 0 };
const broken: Extract<Progress, { kind: 'stepped' }> = {
  ...ended,
  state: 'failed',
  exitCode: 7,
  summary: 'It\u0007 broke\nhere',
  tail: Array.from({ length: 30 }, (_, n) => `line ${n}\u001B[2J`),
};

/** What a run says on stderr, line by line, while this happens; a number lets so many seconds pass. */
async function watch(happens: (Progress | number)[], setting: Setting = {}, ...words: string[]) {
  const clock = new FakeClock();
  const { packets } = fakePackets({
    packets: [packet()],
    run: ({ onProgress }) => {
      for (const one of happens) {
        if (typeof one === 'number') clock.pass(one);
        else onProgress?.(one);
      }
      return ran(failed());
    },
  });
  const { stderr } = await docket(['packet', 'run', 'p-1', ...words], { packets, clock, ...setting });
  expect(clock.waiting).toBe(0);
  const end = stderr.indexOf('Look here first');
  return (end === -1 ? stderr : stderr.slice(0, end)).split('\n').slice(0, -1);
}

const env = (seconds: string): Setting => ({ env: { AGENT_CLI_PROGRESS_INTERVAL_SEC: seconds } });

describe('the progress of a packet', () => {
  it('is a line at the start, every ten seconds, and at the end', async () => {
    expect(await watch([started, 25, completed, 30])).toEqual([
      'Stage codex_impl: run codex: started',
      'Stage codex_impl: run codex: running (10s)',
      'Stage codex_impl: run codex: running (20s)',
      'Stage codex_impl: run codex: completed (25s)',
    ]);
  });

  it('keeps what the agent prints to its files', async () => {
    const text: Progress = {
      ...about,
      kind: 'event',
      attempt: 1,
      event: { type: 'tool', phase: 'start', id: '1', name: 'shell', input: 'ls' },
    };
    expect(await watch([started, text, completed])).toHaveLength(2);
  });

  it('shows the last twenty lines of a failure, harmless', async () => {
    const lines = await watch([started, broken]);
    expect(lines.slice(0, 3)).toEqual([
      'Stage codex_impl: run codex: started',
      'Stage codex_impl: run codex: failed (exit=7)',
      String.raw`  It\x07 broke`,
    ]);
    expect(lines.slice(3)).toHaveLength(20);
    expect(lines[3]).toBe(String.raw`  | line 10\e[2J`);
  });

  it('says where the rest is, and no exit code of an agent that ended well', async () => {
    const refused: Progress = { ...broken, exitCode: 0, tail: ['1 failed'], file: 'outputs/a.md' };
    expect((await watch([started, 3, refused])).slice(1)).toEqual([
      'Stage codex_impl: run codex: failed (3s)',
      String.raw`  It\x07 broke`,
      '  | 1 failed',
      '  all of it: outputs/a.md',
    ]);
  });

  it('names a stage that never started, and one without an exit code', async () => {
    const { exitCode: _none, ...unknown } = broken;
    expect((await watch([{ ...unknown, tail: [], summary: '' }]))[0]).toBe('Stage codex_impl: failed (0s)');
  });

  it('follows its own interval', async () => {
    expect(await watch([started, 5, completed], env('2'))).toHaveLength(4);
    expect(await watch([started, 90, completed], env('0'))).toEqual([]);
    expect((await watch([started, broken], env('0')))[0]).toBe(
      'Stage codex_impl: run codex: failed (exit=7)',
    );
    expect(await watch([started, 11, completed], env('ten\u0007'))).toEqual([
      String.raw`warning: AGENT_CLI_PROGRESS_INTERVAL_SEC is "ten\x07", no number of seconds; taking 10`,
      'Stage codex_impl: run codex: started',
      'Stage codex_impl: run codex: running (10s)',
      'Stage codex_impl: run codex: completed (11s)',
    ]);
  });

  it('is silent with --quiet and --json, on a terminal too', async () => {
    for (const tty of [true, false]) {
      expect(await watch([started, 20, broken], { tty }, '--quiet')).toEqual([]);
      expect(await watch([started, 20, broken], { tty }, '--json')).toEqual([]);
    }
  });

  it('is lines on a terminal that cannot do more, in CI, and where nobody wants more', async () => {
    for (const env of [{ TERM: 'dumb' }, { CI: 'true' }, { NO_COLOR: '1' }])
      expect(await watch([started, completed], { tty: true, env })).toHaveLength(2);
    expect(await watch([started, completed], { tty: true, env: {} }, '--no-live', '--no-color')).toHaveLength(
      2,
    );
  });

  it('ends with the run, also when no stage did', async () => {
    expect(await watch([started])).toEqual(['Stage codex_impl: run codex: started']);
  });
});
