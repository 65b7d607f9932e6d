import { expect, it } from 'vitest';
import { ProcessActivity } from '../../src/engine/watchdog.ts';
import type { TreeUse } from '../../src/io/process/table.ts';

const idle: TreeUse = { processes: 2, busy: 0, cpuMs: 900, ioBytes: 0 };
const gone: TreeUse = { processes: 0, busy: 0, cpuMs: 0, ioBytes: 0 };

/** The looks at a tree, and at which of them it was at work. */
async function looks(...uses: readonly TreeUse[]): Promise<boolean[]> {
  const left = [...uses];
  const pulse = new ProcessActivity({ use: async () => left.shift() ?? gone });
  const seen: boolean[] = [];
  for (let at = 0; at < uses.length; at += 1) {
    const before = pulse.lastWork;
    await pulse.look(0);
    seen.push(pulse.lastWork > before);
  }
  return seen;
}

it('the end of a tree counts once as work: its exit is told a moment later', async () => {
  expect(await looks(idle, gone, gone)).toEqual([false, true, false]);
  expect(await looks(gone, gone)).toEqual([true, false]);
  expect(await looks(idle, idle)).toEqual([false, false]);
});
