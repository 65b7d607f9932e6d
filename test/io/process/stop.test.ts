import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentProcess } from '../../../src/io/process/process.ts';
import { startProcess } from '../../../src/io/process/start.ts';
import { recordedPid } from '../../../src/io/process/supervisor.ts';
import { all, leftovers, node, nothing, said, shell } from './support.ts';

const exitFile = (dir: string) => fs.readFileSync(path.join(dir, 'exit.json'), 'utf8');

async function supervisorOf(dir: string, child: AgentProcess): Promise<number> {
  await said(child, 'up');
  return recordedPid(dir)!;
}

describe('stop', () => {
  test('while it starts, at many moments', { timeout: 60_000 }, async () => {
    for (let n = 0; n < 12; n += 1) {
      const spec = shell('sleep 100', { graceMs: 20_000 });
      const child = await startProcess(spec);
      const until = performance.now() + n / 2;
      while (performance.now() < until) await new Promise(setImmediate);
      // Without a wait for the grace: the signal reaches it however early it comes.
      expect(await child.stop('canceled')).toEqual({ code: 143, stopped: 'canceled' });
      expect(leftovers(spec.mark)).toEqual(nothing);
    }
  });

  test('before its first output', async () => {
    const spec = node('stubborn.mjs', ['stay'], { graceMs: 1 });
    const child = await startProcess(spec);
    expect(await child.stop('stall')).toMatchObject({ stopped: 'stall' });
    expect(leftovers(spec.mark)).toEqual(nothing);
  });

  test('lets it end in its own way and keeps its code', async () => {
    const spec = shell('trap "echo saved; exit 9" TERM; echo up; while :; do sleep 0.02; done');
    const child = await startProcess(spec);
    await said(child, 'up');
    expect(await child.stop('shutdown')).toEqual({ code: 9, stopped: 'shutdown' });
    expect((await all(child)).map(({ text }) => text)).toEqual(['up', 'saved']);
    expect(exitFile(spec.dir)).toBe('{"code":9}\n');
  });

  test('kills what ignores SIGTERM, and the end is still written down', async () => {
    const spec = shell(`trap '' TERM; echo up; sleep 100 & sleep 101`, { graceMs: 100 });
    const child = await startProcess(spec);
    await said(child, 'up');
    expect(await child.stop('timeout')).toEqual({ code: 137, stopped: 'timeout' });
    expect(exitFile(spec.dir)).toBe('{"code":137}\n');
    expect(leftovers(spec.mark)).toEqual(nothing);
  });

  test('wakes what is suspended, the supervisor too, and still has its code', async () => {
    const spec = shell('trap "exit 8" TERM; echo up; kill -STOP 0; while :; do sleep 0.02; done');
    const child = await startProcess(spec);
    await said(child, 'up');
    expect(await child.stop('stall')).toEqual({ code: 8, stopped: 'stall' });
    expect(leftovers(spec.mark)).toEqual(nothing);
  });

  test('kills what breeds faster than one can look', async () => {
    const script = `trap '' TERM; breed() { while :; do (trap '' TERM; sleep 0.05) & sleep 0.01; done; }; echo up; breed & breed`;
    const spec = shell(script, { graceMs: 100 });
    const child = await startProcess(spec);
    await said(child, 'up');
    expect(await child.stop('canceled')).toMatchObject({ stopped: 'canceled' });
    expect(leftovers(spec.mark)).toEqual(nothing);
  });

  test('twice at once and once more is one stop, with the first reason', async () => {
    const spec = shell('echo up; exec sleep 100');
    const child = await startProcess(spec);
    await said(child, 'up');
    const exits = await Promise.all([child.stop('timeout'), child.stop('canceled'), child.exited]);
    expect(exits).toEqual(Array.from({ length: 3 }, () => ({ code: 143, stopped: 'timeout' })));
    expect(await child.stop('shutdown')).toEqual({ code: 143, stopped: 'timeout' });
  });

  test('after its end changes nothing', async () => {
    const child = await startProcess(shell('exit 4'));
    await child.exited;
    expect(await child.stop('canceled')).toEqual({ code: 4 });
  });

  test('of one that has ended by itself a moment ago is no stop', async () => {
    const spec = shell('exit 4');
    const child = await startProcess(spec);
    // Our event loop has not heard of it yet.
    while (!fs.existsSync(path.join(spec.dir, 'exit.json'))) continue;
    expect(await child.stop('canceled')).toEqual({ code: 4 });
  });
});

describe('signals from elsewhere', () => {
  test('to the whole group: the supervisor outlives them and writes down the end', async () => {
    for (const [signal, code] of [
      ['SIGTERM', 143],
      ['SIGINT', 130],
      ['SIGHUP', 129],
      ['SIGUSR1', 138],
    ] as const) {
      const spec = shell('echo up; exec sleep 100');
      const child = await startProcess(spec);
      process.kill(-(await supervisorOf(spec.dir, child)), signal);
      expect(await child.exited).toEqual({ code });
      expect(exitFile(spec.dir)).toBe(`{"code":${code}}\n`);
    }
  });

  test('many of them while the agent goes on', async () => {
    const spec = shell(
      `trap : TERM INT; echo up; n=0; while [ $n -lt 20 ]; do sleep 0.02; n=$((n+1)); done; exit 6`,
    );
    const child = await startProcess(spec);
    const group = await supervisorOf(spec.dir, child);
    for (let n = 0; n < 10; n += 1) {
      process.kill(-group, n % 2 === 0 ? 'SIGTERM' : 'SIGINT');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(await child.exited).toEqual({ code: 6 });
  });

  test('a killed supervisor: the agent is followed to its end, its code is unknown', async () => {
    const spec = shell('echo up; read -r line; echo "$line"', { stdin: 'open' });
    const child = await startProcess(spec);
    process.kill(await supervisorOf(spec.dir, child), 'SIGKILL');
    await child.send('still here\n');
    expect((await all(child)).map(({ text }) => text)).toEqual(['up', 'still here']);
    expect(await child.exited).toEqual({});
    expect(leftovers(spec.mark)).toEqual(nothing);
  });

  test('a killed supervisor, then a stop', async () => {
    const spec = shell(`trap '' TERM; echo up; sleep 100; sleep 100`, { graceMs: 100 });
    const child = await startProcess(spec);
    process.kill(await supervisorOf(spec.dir, child), 'SIGKILL');
    expect(await child.stop('canceled')).toEqual({ stopped: 'canceled' });
    expect(leftovers(spec.mark)).toEqual(nothing);
  });
});

test('more output than allowed ends it', async () => {
  const spec = shell('while :; do echo 0123456789012345678901234567890123456789; done', {
    maxOutputBytes: 100_000,
  });
  const child = await startProcess(spec);
  expect(await child.exited).toMatchObject({ stopped: 'output' });
  expect(leftovers(spec.mark)).toEqual(nothing);
});
