import { describe, expect, it } from 'vitest';
import type { StallLimits } from '../../src/engine/stall-policy.ts';
import { Watchdog } from '../../src/engine/watchdog.ts';
import { startProcess } from '../../src/io/process/start.ts';
import { leftovers, nothing, said, shell } from '../io/process/support.ts';

const limits: StallLimits = { wallMs: 60_000, silenceMs: 200, toolSilenceMs: 60_000, graceMs: 200 };

/** A process under a watchdog, from its first line on. */
async function watched(script: string, more: Partial<StallLimits> = {}) {
  const spec = shell(script, { graceMs: 200 });
  const child = await startProcess(spec);
  await said(child, 'up');
  const dog = new Watchdog(child, { ...limits, ...more }, { patient: false, now: () => Date.now() });
  const exit = child.exited.finally(() => dog.close());
  return { child, dog, exit, left: () => leftovers(spec.mark) };
}

const spin = (seconds: number) =>
  `end=$(($(date +%s) + ${seconds})); while [ "$(date +%s)" -lt "$end" ]; do :; done`;

describe('a watchdog', () => {
  it('interrupts a dead stream, which can then end its turn in its own way', async () => {
    const { exit, dog, left } = await watched(`trap 'echo bye; exit 0' INT; echo up; sleep 100`);
    expect(await exit).toEqual({ code: 0, stopped: 'stall' });
    expect(dog.evidence).toMatch(
      /^no event or output for 0\.\d s; .*no tool was open; its \d+ processes used 0\.0/,
    );
    expect(dog.evidence).toMatch(/it was interrupted \(SIGINT\) and ended$/);
    expect(left()).toEqual(nothing);
  });

  it('ends what does not react, and all that is below it', async () => {
    const { exit, dog, left } = await watched(`trap '' INT TERM; echo up; setsid sleep 100 & sleep 101`);
    expect(await exit).toEqual({ code: 137, stopped: 'stall' });
    expect(dog.evidence).toMatch(/it did not react to an interruption \(SIGINT\) and was ended$/);
    expect(left()).toEqual(nothing);
  });

  it('lets a silent tree work, also one that has left the group', async () => {
    const { exit, dog } = await watched(`echo up; setsid sh -c '${spin(2)}'; exit 7`);
    expect(await exit).toEqual({ code: 7 });
    expect(dog.evidence).toBeUndefined();
  });

  it('lets no tree work in silence longer than a tool may', async () => {
    const { exit, dog } = await watched(`echo up; ${spin(60)}`, { toolSilenceMs: 500 });
    expect(await exit).toMatchObject({ stopped: 'stall' });
    expect(dog.evidence).toMatch(/processes used \d/);
  });

  it('waits for a tool that sleeps', async () => {
    const { exit, dog } = await watched('echo up; sleep 0.6; exit 3');
    dog.saw({ type: 'tool', phase: 'start', id: '1', name: 'Bash' });
    expect(await exit).toEqual({ code: 3 });
  });

  it('names the tool that hung', async () => {
    const { exit, dog } = await watched('echo up; exec sleep 100', { toolSilenceMs: 300 });
    dog.saw({ type: 'tool', phase: 'start', id: '1', name: 'Ba\u001bsh', input: 'secret' });
    expect(await exit).toMatchObject({ stopped: 'stall' });
    expect(dog.evidence).toMatch(/the last event was "tool Ba sh began" at 20.*Z; open: Ba sh;/);
  });

  it('spares one that goes on after the interruption: its hung tool died of it', async () => {
    const script = `trap 'echo again' INT; echo up; sleep 100; for n in 1 2 3 4 5; do echo $n; sleep 0.1; done; exit 5`;
    const { exit, dog } = await watched(script);
    expect(await exit).toEqual({ code: 5 });
    expect(dog.evidence).toBeUndefined();
  });

  it('takes its own sleep for nobody else’s', async () => {
    const { exit, dog } = await watched('echo up; sleep 1.7; exit 4', { silenceMs: 400 });
    const until = performance.now() + 1450;
    while (performance.now() < until) continue; // as if suspended: no timer fires
    expect(await exit).toEqual({ code: 4 });
    expect(dog.evidence).toBeUndefined();
  });
});
