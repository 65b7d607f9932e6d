import fs from 'node:fs';
import net from 'node:net';
import { describe, expect, test } from 'vitest';
import { newMark } from '../../../src/io/process/mark.ts';
import { startProcess } from '../../../src/io/process/start.ts';
import { processRow } from '../../../src/io/process/table.ts';
import { leftovers, node, nothing, rounds, said, shell } from './support.ts';

const inARow = rounds || 5;
const atOnce = Math.min(rounds || 8, 50);

/** An agent that ends by itself, or has to be stopped, and leaves a deaf process that holds a port. */
async function stubborn(verb: 'leave' | 'stay'): Promise<void> {
  const spec = node('stubborn.mjs', [verb], { graceMs: 300 });
  const child = await startProcess(spec);
  const port = Number(await said(child, 'port '));
  const exit = await (verb === 'leave' ? child.exited : child.stop('timeout'));
  expect(exit).toEqual(verb === 'leave' ? { code: 0 } : { code: 137, stopped: 'timeout' });
  expect(leftovers(spec.mark)).toEqual(nothing);
  // Somebody else may have got that number for a moment; a leftover would keep it.
  await expect.poll(() => isFree(port), { timeout: 10_000 }).toBe(true);
}

function isFree(port: number): Promise<boolean> {
  const server = net.createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** Sockets and pipes included. A closed one may take a turn of the event loop to go. */
async function openFiles(): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 50));
  return fs.readdirSync('/proc/self/fd').length;
}

describe('a process that left the group, ignores SIGTERM and holds a port', () => {
  const long = { timeout: 30_000 + rounds * 3000 };

  test(`${inARow} in a row leave nothing`, long, async () => {
    await stubborn('leave');
    const before = await openFiles();
    for (let n = 0; n < inARow; n += 1) await stubborn(n % 2 === 0 ? 'leave' : 'stay');
    expect(await openFiles()).toBe(before);
  });

  test(`${atOnce} at once leave nothing`, long, async () => {
    const before = await openFiles();
    await Promise.all(Array.from({ length: atOnce }, (_, n) => stubborn(n % 2 === 0 ? 'leave' : 'stay')));
    expect(await openFiles()).toBe(before);
  });
});

describe('what an agent leaves behind', () => {
  test('is asked before it is killed', async () => {
    const spec = shell(
      `setsid sh -c 'trap "echo asked; exit" TERM; echo up; while :; do sleep 0.02; done' & while ! grep -q up "$LOG"; do sleep 0.02; done`,
    );
    const child = await startProcess({ ...spec, env: { ...spec.env, LOG: `${spec.dir}/events.jsonl` } });
    const heard: string[] = [];
    for await (const { text } of child.lines()) heard.push(text);
    expect(heard).toEqual(['up', 'asked']);
    expect(leftovers(spec.mark)).toEqual(nothing);
  });

  test('is found by its group when it has no environment', async () => {
    const spec = shell('env -i /bin/sleep 100 & echo $!');
    const child = await startProcess(spec);
    const pid = Number(await said(child, ''));
    await child.exited;
    expect(processRow(pid)).toBeUndefined();
  });

  test('is found by its parent when it has neither', async () => {
    const deaf = `trap "" TERM; env -i setsid /bin/sleep 100 & echo $!; trap - TERM; wait`;
    const spec = shell(`setsid sh -c '${deaf}' & sleep 0.2`);
    const child = await startProcess(spec);
    const pid = Number(await said(child, ''));
    await child.exited;
    expect(processRow(pid)).toBeUndefined();
  });

  test.runIf(process.platform === 'linux')(
    'is found by its limit when it has no environment, no parent, and a session of its own',
    async () => {
      const orphan = `/bin/sleep 100 </dev/null >/dev/null 2>&1 & echo $!`;
      const spec = shell(`env -i setsid /bin/sh -c '${orphan}'; sleep 0.1`);
      const child = await startProcess(spec);
      const pid = Number(await said(child, ''));
      const row = processRow(pid);
      expect([row?.marks(), row?.hasMark(spec.mark), row?.hasMark(newMark())]).toEqual([[], true, false]);
      await child.exited;
      expect(processRow(pid)).toBeUndefined();
    },
  );

  test('is not mistaken for what belongs to others', async () => {
    const other = shell('echo up; exec sleep 100');
    const neighbour = await startProcess(other);
    await said(neighbour, 'up');
    const spec = shell(`DOCKET_MARK=x${other.mark} sleep 0.1 & wait`);
    expect(await (await startProcess(spec)).exited).toEqual({ code: 0 });
    expect(leftovers(other.mark).processes).toHaveLength(2);
    await neighbour.stop('canceled');
    expect(leftovers(other.mark)).toEqual(nothing);
  });
});
