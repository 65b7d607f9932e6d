import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDocket } from '../../src/project/docket.ts';
import type { Task } from '../../src/task/schema.ts';
import { Project } from '../support/project.ts';
import { report, ShellProject } from '../support/shell-project.ts';

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
    const docket = await openDocket({ cwd: project.root, root: project.root, env: project.env, clock });
    try {
      return (await docket.run({ signal: new AbortController().signal }))[0]?.task;
    } finally {
      await docket.close();
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

const listens = `node -e '
  const said = () => fs.writeFileSync(process.env.CUES + "/listening", "");
  net.createServer().listen(process.env.PORT, "127.0.0.1", said);
' > /dev/null 2>&1`;

it('a port stays taken while the agent works that it was given to, also when its docket is dead', async () => {
  const { port, close } = await listener();
  await close();
  const first = new ShellProject(`say up; await listen; ${listens} & await go; ${report()}`);
  const other = new ShellProject(report());
  for (const project of [first, other]) {
    const config = JSON.parse(project.read('.docket/config.yaml')) as object;
    const setup = { ports: ['PORT'], portRange: [port, port] };
    const acceptance = ['echo "$PORT" > port.txt'];
    project.write('.docket/config.yaml', JSON.stringify({ ...config, setup, acceptance }));
    project.env['DOCKET_STATE'] = path.join(first.home, 'state');
    project.queue(['one'], false);
  }
  await first.killedWhen('up');
  expect((await other.docket('run')).code).toBe(75);
  expect(await other.json('list')).toMatchObject({
    tasks: [{ status: 'blocked', reason: { kind: 'setup' } }],
  });

  // Whose it is goes on with it, also when it is in use.
  first.cue('listen');
  await first.said('listening');
  first.cue('go');
  expect((await first.docket('run')).code).toBe(0);
  expect(first.marks()).toHaveLength(1);
  expect(first.read('port.txt')).toBe(`${port}\n`);
});
