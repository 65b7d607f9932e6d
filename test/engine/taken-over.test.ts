import path from 'node:path';
import { expect, it } from 'vitest';
import { openApp } from '../../src/app.ts';
import { callsIn } from '../../src/meter/calls.ts';
import { whyOf } from '../support/circle.ts';
import { ShellProject } from '../support/shell-project.ts';

const hourMs = 3600_000;

it('the seconds of a call that is taken over count from its start, for its own cap and in the book', async () => {
  const project = new ShellProject('say began; await never', { limits: { graceSeconds: 0.3 } });
  project.configure({ budgets: { attempt: { seconds: 600 } } });
  project.queue(['job'], false);
  await project.killedWhen('began');

  const clock = { now: () => Date.now() + hourMs };
  const app = await openApp({ cwd: project.root, root: project.root, env: project.env, clock });
  const [ran] = await app.run({ signal: new AbortController().signal });
  await app.close();
  expect(ran && whyOf(ran.task)).toMatch(/^budget: attempt\.seconds: 600 of 600 seconds are used/);
  expect(project.leftovers()).toEqual([]);
  const [call, ...others] = callsIn(path.join(project.home, '.local/state/docket/meter'));
  expect([call?.used?.calls, others]).toEqual([1, []]);
  expect(call?.used?.seconds).toBeGreaterThanOrEqual(3600);
});
