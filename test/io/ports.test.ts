import type { ChildProcess } from 'node:child_process';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { leasePorts, NoPortFree, type PortRange } from '../../src/io/process/ports.ts';
import { startNode } from '../support/child.ts';
import { scratch } from '../support/scratch.ts';

/** A lease is the machine's: two runs of these tests at once must not meet. */
const base = 20_000 + (process.pid % 100) * 64;
/** Hardly larger than what is asked for: whoever does not look would meet another. */
const range: PortRange = [base, base + 59];
const names = ['PORT', 'DB_PORT'];

type Ports = Record<string, number>;

async function told(child: ChildProcess): Promise<Ports[]> {
  let out = '';
  for await (const text of child.stdout as AsyncIterable<Buffer>) {
    out += String(text);
    if (out.endsWith('\n')) return JSON.parse(out) as Ports[];
  }
  throw new Error('it ended without a word');
}

async function killed(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

async function listeningAt(port: number, host: string): Promise<void> {
  const server = net.createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host }, resolve);
  });
  onTestFinished(() => void server.close());
}

describe('ports', () => {
  it('are different for 20 tasks of 4 processes, and free again when those are killed', async () => {
    const folder = path.join(scratch(), 'ports');
    const owners = Array.from({ length: 4 }, (_, n) => [0, 1, 2, 3, 4].map((one) => `root task-${n}-${one}`));
    const children = owners.map((some) => startNode('ports.mjs', [folder, ...range.map(String), ...some]));
    const leased = (await Promise.all(children.map(told))).flat();
    const ports = leased.flatMap((one) => names.map((name) => one[name]));
    expect(ports).toHaveLength(40);
    expect(new Set(ports).size).toBe(40);
    expect(ports.every((port) => port !== undefined && port >= range[0] && port <= range[1])).toBe(true);
    await Promise.all(children.map(killed));
    // A task that goes on has its ports again, without anybody having given them back.
    for (const [at, before] of leased.entries()) {
      const lease = await leasePorts(folder, { names, range, owner: owners.flat()[at] ?? '', before });
      expect(lease.ports).toEqual(before);
      lease.release();
    }
  });

  it('are not those at which somebody listens, nor those of another lease of the same process', async () => {
    const folder = scratch();
    const small: PortRange = [base + 60, base + 62];
    await listeningAt(base + 60, '127.0.0.1');
    const wish = { names: ['PORT'], range: small, owner: 'one', before: { PORT: base + 60 } };
    const first = await leasePorts(folder, wish);
    const second = await leasePorts(folder, { ...wish, owner: 'two' });
    expect(new Set([first.ports['PORT'], second.ports['PORT']])).toEqual(new Set([base + 61, base + 62]));
    await expect(leasePorts(folder, { ...wish, owner: 'three' })).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining(`no port from ${base + 60} to ${base + 62}`) as string,
    });
    await expect(leasePorts(folder, { ...wish, owner: 'three' })).rejects.toBeInstanceOf(NoPortFree);
    first.release();
    const third = await leasePorts(folder, { ...wish, owner: 'three' });
    expect(third.ports).toEqual(first.ports);
    second.release();
    third.release();
    // Where there is not enough room for one alone, to wait is of no use.
    const many = leasePorts(folder, { ...wish, names: ['A', 'B', 'C', 'D'] });
    await expect(many).rejects.not.toBeInstanceOf(NoPortFree);
    await expect(many).rejects.toMatchObject({ fix: 'give setup.portRange room for 4 ports' });
  });

  it.runIf(process.platform === 'linux')('are not those of another user of the machine', async () => {
    const wish = { names: ['PORT'], range: [base + 63, base + 63] as const, owner: 'one' };
    const theirs = await leasePorts(scratch(), wish);
    const folder = scratch(); // nothing of theirs can be read
    await expect(leasePorts(folder, wish)).rejects.toBeInstanceOf(NoPortFree);
    theirs.release();
    const lease = await leasePorts(folder, wish);
    expect(lease.ports).toEqual({ PORT: base + 63 });
    lease.release();
  });
});
