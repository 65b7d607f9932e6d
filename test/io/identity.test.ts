import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { liveness, ownIdentity, type ProcessIdentity } from '../../src/io/identity.ts';

const module = new URL('../../dist/io/identity.js', import.meta.url).href;
const says = `import { ownIdentity } from '${module}'; console.log(JSON.stringify(ownIdentity())); setInterval(() => {}, 1e3);`;

it('a process of a container is dead once its container is', async ({ onTestFinished, skip }) => {
  const unshare = ['--pid', '--fork', '--kill-child', '--mount-proc', process.execPath];
  const container = spawn('unshare', [...unshare, '--input-type=module', '-e', says], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void container.kill('SIGKILL'));
  const said = await new Promise<string>((resolve) => {
    container.stdout.once('data', (bytes: Buffer) => resolve(String(bytes)));
    container.once('exit', () => resolve(''));
  });
  if (said === '') skip('this user may have no containers');
  const inside = JSON.parse(said) as ProcessIdentity;
  expect(liveness(inside)).toBe('unknown');
  container.kill('SIGKILL');
  await expect.poll(() => liveness(inside), { timeout: 20_000 }).toBe('dead');
  // Of another machine, or another boot, we know nothing.
  expect(liveness({ ...inside, bootId: 'another' })).toBe('unknown');
  expect(liveness({ ...ownIdentity(), host: 'elsewhere' })).toBe('unknown');
});
