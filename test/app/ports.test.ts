import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openApp } from '../../src/app.ts';
import type { Task } from '../../src/task/schema.ts';
import { Project } from '../support/project.ts';

/** Somebody at a port that the system chose. */
async function listener(): Promise<{ port: number; close: () => Promise<void> }> {
  const server = net.createServer();
  const close = () => new Promise<void>((resolve) => void server.close(() => resolve()));
  onTestFinished(close);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, close };
}

it('a task for which no port is free waits, and goes on by itself', async () => {
  const { port, close } = await listener();
  const project = new Project({
    agents: { sh: { adapter: 'command', command: ['sh', '-c', 'echo "$PORT" | tee port.txt'] } },
    defaultAgent: 'sh',
    setup: { ports: ['PORT'], portRange: [port, port] },
  });
  project.env['DOCKET_STATE'] = path.join(project.home, 'state');
  project.queue(['one'], false);
  let time = Date.parse('2026-03-01T20:00:00.000Z');
  const clock = { now: () => time };
  const ran = async (): Promise<Task | undefined> => {
    const app = await openApp({ cwd: project.root, root: project.root, env: project.env, clock });
    try {
      return (await app.run({ signal: new AbortController().signal }))[0]?.task;
    } finally {
      await app.close();
    }
  };
  expect(await ran()).toMatchObject({
    status: 'blocked',
    reason: {
      kind: 'setup',
      who: 'docket',
      resumesAt: '2026-03-01T20:01:00.000Z',
      text: expect.stringContaining(`no port from ${port} to ${port} is free for PORT`),
    },
  });
  expect(await ran()).toBeUndefined();
  await close();
  time += 60_000;
  expect(await ran()).toMatchObject({ status: 'done' });
  expect(project.read('port.txt')).toBe(`${port}\n`);
});
