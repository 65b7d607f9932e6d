import { expect, test } from 'vitest';
import { startProcess } from '../../../src/io/process/start.ts';
import { noSandbox } from '../../support/sandbox.ts';
import { attempt, leftovers, nothing, said, shell } from './support.ts';

const polite = `trap 'exit 7' INT; echo up; while :; do sleep 0.02; done`;

test('what ends of an interruption was stopped for a stall, with its own code', async () => {
  const spec = shell(polite);
  const child = await startProcess(spec);
  await said(child, 'up');
  await child.interrupt();
  expect(child.isStopping()).toBe(true);
  expect(await child.exited).toEqual({ code: 7, stopped: 'stall' });
  expect(leftovers(spec.mark)).toEqual(nothing);
});

test('what goes on after it was not stopped', async () => {
  const child = await startProcess(
    shell(`trap : INT; echo up; until read -r go; do :; done; exit 3`, { stdin: 'open' }),
  );
  await said(child, 'up');
  const takeBack = await child.interrupt();
  takeBack();
  expect(child.isStopping()).toBe(false);
  await child.send('go\n');
  expect(await child.exited).toEqual({ code: 3 });
});

test('after its end it is nothing', async () => {
  const child = await startProcess(shell('exit 4'));
  await child.exited;
  await child.interrupt();
  expect([child.isStopping(), await child.exited]).toEqual([false, { code: 4 }]);
});

test.skipIf(noSandbox)('reaches an agent in its sandbox, which stands until that has ended', async () => {
  const sandbox = 'bwrap --ro-bind / / --dev /dev --proc /proc --unshare-pid -- sh -c'.split(' ');
  const child = await startProcess(attempt([...sandbox, polite]));
  await said(child, 'up');
  await child.interrupt();
  expect(await child.exited).toEqual({ code: 7, stopped: 'stall' });
});
