import path from 'node:path';
import { expect, it } from 'vitest';
import { callsIn } from '../../src/meter/book-file.ts';
import { openDocket } from '../../src/project/docket.ts';
import { whyOf } from '../support/circle.ts';
import { ShellProject } from '../support/shell-project.ts';
import { shell } from '../support/task-project.ts';

const hourMs = 3600_000;

/** An agent that never ends, and whose docket was killed; the next one comes an hour later, with these settings. */
async function anHourLater(settings: (project: ShellProject) => object) {
  const project = new ShellProject('say began; await never', { limits: { graceSeconds: 0.3 } });
  project.queue(['job'], false);
  await project.killedWhen('began');
  project.configure(settings(project));
  const clock = { now: () => Date.now() + hourMs };
  const docket = await openDocket({ cwd: project.root, root: project.root, env: project.env, clock });
  const [ran] = await docket.run({ signal: new AbortController().signal });
  await docket.close();
  expect(project.leftovers()).toEqual([]);
  const calls = callsIn(path.join(project.home, '.local/state/docket/meter'));
  return { why: ran && whyOf(ran.task), used: calls.map(({ used }) => used) };
}

it('the seconds of a call that is taken over count from its start, for its own cap and in the book', async () => {
  const { why, used } = await anHourLater(() => ({ budgets: { attempt: { seconds: 600 } } }));
  expect(why).toMatch(/^budget: attempt\.seconds: 600 of 600 seconds are used/);
  expect(used).toHaveLength(1);
  expect(used[0]?.seconds).toBeGreaterThanOrEqual(3600);
});

it('so do those of one that is ended, because somebody else does its step now', async () => {
  const { why, used } = await anHourLater((project) => {
    const { agents } = JSON.parse(project.read('.docket/config.yaml')) as { agents: object };
    return { agents: { ...agents, other: shell(':') }, defaultAgent: 'other' };
  });
  expect([why, used.length]).toEqual(['done', 2]);
  expect(used[0]?.seconds).toBeGreaterThanOrEqual(3600);
});
