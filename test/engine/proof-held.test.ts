import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Task } from '../../src/task/schema.ts';
import { ObedientProject } from '../support/obedient.ts';
import { noSandbox } from '../support/sandbox.ts';
import { scratch } from '../support/scratch.ts';

/** A port of this machine where somebody answers, while the test runs. */
async function listening(): Promise<number> {
  const server = net.createServer((socket) => socket.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as net.AddressInfo).port;
}

const textOf = (task: Task): string => (task.status === 'blocked' ? task.reason.text : task.status);

describe('the commands that prove work', { timeout: 60_000 }, () => {
  it('get no keys of docket’s environment, unless the settings name them', async () => {
    const project = new ObedientProject({ acceptance: ['sh check.sh'] });
    project.env['DATABASE_URL'] = 'postgres://local';
    const orders = 'WRITE: check.sh: env > got.txt; env | grep DATABASE_URL';
    await project.add({ text: orders });
    const task = await project.ran();
    expect(textOf(task)).toContain('not passed to commands, though set: DATABASE_URL.');
    expect(textOf(task)).toContain('commandEnv: [DATABASE_URL]');
    const got = project.read('got.txt');
    expect(got).toContain('PATH=');
    for (const key of ['GH_TOKEN', 'AWS_SECRET_ACCESS_KEY', 'NPM_TOKEN']) expect(got).not.toContain(key);

    project.configure({ commandEnv: ['DATABASE_URL'] });
    await project.retry(task.id);
    expect((await project.ran()).status).toBe('done');
  });

  it('get what the setup of the task names', async () => {
    const project = new ObedientProject({
      acceptance: ['test "$URL" = postgres://local'],
      setup: { env: { URL: '$DATABASE_URL' } },
    });
    project.env['DATABASE_URL'] = 'postgres://local';
    await project.add({ text: 'nothing' });
    expect((await project.ran()).status).toBe('done');
  });

  describe.skipIf(noSandbox)('run in the sandbox of the agent whose work they prove', () => {
    it.each([true, false])('and write nowhere else (network: %s)', async (network) => {
      const outside = path.join(scratch(), 'outside');
      const project = new ObedientProject(
        { acceptance: ['bash check.sh', 'test -f inside.txt'] },
        { sandbox: 'bubblewrap', permission: 'edit', network },
      );
      const connect = `(echo > /dev/tcp/127.0.0.1/${await listening()}) && echo yes > net.txt`;
      const check = `echo x > inside.txt; echo x > ${outside}; ${connect}; true`;
      await project.add({ text: `WRITE: check.sh: ${check}` });
      expect((await project.ran()).status).toBe('done');
      expect(fs.existsSync(outside)).toBe(false);
      expect(project.read('inside.txt')).toBe('x\n');
      expect(fs.existsSync(path.join(project.root, 'net.txt'))).toBe(network);
    });

    it('and say so where that may be why they failed', async () => {
      const project = new ObedientProject(
        { acceptance: [`touch ${scratch()}/x`] },
        { sandbox: 'bubblewrap', permission: 'edit' },
      );
      await project.add({ text: 'nothing' });
      expect(textOf(await project.ran())).toContain("ran in its agent's sandbox, where only the workspace");
    });

    it('also before a merge', async () => {
      const outside = path.join(scratch(), 'outside');
      const project = new ObedientProject(
        { acceptance: [`echo x > ${outside}; true`] },
        { sandbox: 'bubblewrap', permission: 'edit' },
      );
      const { id } = await project.add({ text: 'WRITE: b.txt: b', worktree: true });
      expect((await project.ran()).status).toBe('done');
      expect((await project.docket('merge', id)).code).toBe(0);
      expect(project.git('show', 'main:b.txt')).toBe('b\n');
      expect(fs.existsSync(outside)).toBe(false);
    });
  });
});
