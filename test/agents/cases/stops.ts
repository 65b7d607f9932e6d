import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Subject } from '../lab.ts';
import { leftOf } from '../processes.ts';
import { expectEnd, lab } from './case.ts';

/** We end it: it is told as our doing, and nothing of it stays. */
export function stopCases(subject: Subject): void {
  it('is stopped while its model is silent', async (test) => {
    const here = await lab(test, subject, { hang: [{ hang: true }] });
    const ran = await here.run('[[hang]] Wait.', {
      permission: 'full',
      async meanwhile(stop) {
        await here.arrived('hang');
        await stop('stall');
      },
    });
    expectEnd(ran);
    expect(ran).toMatchObject({ exit: { stopped: 'stall' }, error: { class: 'stall' } });
    expect(leftOf(ran.mark)).toEqual([]);
  });

  it('is stopped while a tool runs that ignores signals, and no process is left', async (test) => {
    const word = `tool-${randomUUID()}`;
    const here = await lab(test, subject, ({ cwd }) => ({ long: [{ do: [{ shell: deaf(cwd, word) }] }] }));
    let running: string[] = [];
    const ran = await here.run('[[long]] Run it.', {
      permission: 'full',
      answer: 'allow',
      async meanwhile(stop, isOver) {
        while (!fs.existsSync(here.file('runs')) && !isOver()) await sleep(50);
        running = leftOf('no mark', word);
        await stop('timeout');
      },
    });
    expectEnd(ran);
    expect(running).not.toEqual([]);
    expect(ran).toMatchObject({ exit: { stopped: 'timeout' }, error: { class: 'timeout' } });
    expect(leftOf(ran.mark, word)).toEqual([]);
  });
}

/** In a session of its own and deaf to everything but SIGKILL: no group and no politeness reaches it. */
function deaf(cwd: string, word: string): string {
  return `setsid sh -c 'trap "" TERM HUP INT; echo > ${cwd}/runs; while :; do sleep 1; done' ${word}`;
}
