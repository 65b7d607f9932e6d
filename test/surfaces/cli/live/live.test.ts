import { describe, expect, it } from 'vitest';
import type { Progress } from '../../../../src/engine/progress.ts';
import { Terminal } from '../../../support/terminal.ts';
import { FakeClock } from '../fake-clock.ts';
import { failed, fakePackets, packet, ran } from '../fake-packets.ts';
import { docket } from '../fake-world.ts';

const stage = 'codex_impl';
const ref = { kind: 'packet', id: 'p-1', name: 'p-1', title: 'Retry failed logins' } as const;
const about = { ref, step: stage, title: stage, role: '', agent: 'codex' };
const started: Progress = { ...about, kind: 'step', attempt: 1 };
const tool = (input: string): Progress => ({
  ...about,
  kind: 'event',
  attempt: 1,
  event: { type: 'tool', phase: 'start', id: '1', name: 'shell', input },
});
const completed: Progress = { ...about, kind: 'stepped', summary: '', state: 'done', exitCode: 0 };

/** What happens in a run: progress, seconds that pass, or a look at the terminal. */
type Happens = Progress | number | ((terminal: Terminal) => void);

async function watch(happens: readonly Happens[], fails = false) {
  const clock = new FakeClock();
  const terminal = new Terminal(300);
  const person = new AbortController();
  let frames = 0;
  const { packets } = fakePackets({
    packets: [packet()],
    run: ({ onProgress }) => {
      for (const one of happens) {
        if (typeof one === 'number') clock.pass(one);
        else if (typeof one === 'function') one(terminal);
        else onProgress?.(one);
      }
      if (fails) throw new Error('it broke');
      return ran(failed());
    },
  });
  const ended = await docket(['packet', 'run', 'p-1'], {
    packets,
    clock,
    tty: true,
    columns: 60,
    stop: person.signal,
    onTalk: (bytes) => {
      frames += 1;
      terminal.write(bytes.replaceAll('\n', '\r\n'));
    },
  });
  return { ...ended, terminal, clock, frames: () => frames };
}

describe('on a terminal', () => {
  it('what runs stands at the bottom, and what has ended above it', async () => {
    const looks: string[][] = [];
    const look = (terminal: Terminal) => looks.push(terminal.lines);
    const { terminal, stderr, clock } = await watch([
      started,
      1,
      look,
      tool('ls\u001B[2J'),
      2,
      look,
      completed,
      1,
      look,
    ]);
    expect(looks[0]?.[0]).toMatch(/^codex_impl +codex +[01]s$/);
    expect(looks[1]?.[0]).toMatch(/^codex_impl +codex +[23]s +shell ls\\e\[2J$/);
    expect(looks[2]?.[0]).toBe('Stage codex_impl: run codex: completed (3s)');
    expect(looks[2]?.filter((line) => line.startsWith('codex_impl'))).toEqual([]);
    // Nothing of it is left, the cursor was never hidden, and nobody waits for the clock.
    expect(terminal.lines.filter((line) => line.includes('running'))).toEqual([]);
    expect(stderr).not.toContain('[?25');
    expect(clock.waiting).toBe(0);
  });

  it('is drawn at most ten times a second, however much happens', async () => {
    const many = Array.from({ length: 500 }, (_, n): Happens[] => [tool(`ls ${n}`), 0.01]).flat();
    const { frames } = await watch([started, ...many]);
    expect(frames()).toBeLessThanOrEqual(5 * 10 + 10);
  });

  it('leaves the terminal clean when the run fails', async () => {
    const { terminal, code } = await watch([started, 1], true);
    expect(code).toBe(1);
    expect(terminal.lines[0]).toBe('error: docket met an error it does not know: it broke');
    expect(terminal.cursor.column).toBe(0);
  });
});
