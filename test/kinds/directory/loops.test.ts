import { expect, it } from 'vitest';
import { subtask, TaskProject } from '../../support/task-project.ts';

/** A planner that orders the same work, round after round, under other names. */
async function planned(prompts: readonly string[], settings: object = {}) {
  const project = await TaskProject.created();
  const config = JSON.parse(project.read('.docket/config.yaml')) as object;
  project.write('.docket/config.yaml', JSON.stringify({ ...config, ...settings }));
  const rounds = prompts.map((prompt, n) => ({
    sessionGoal: `Round ${n}`,
    tasks: [{ ...subtask(`mend-${n}`), title: 'Mend it', prompt: `${prompt} [[success]]` }],
  }));
  const plans = [...rounds, { done: true, summary: 'It is mended.' }].map((plan) => JSON.stringify(plan));
  project.write('plans', `${plans.join('\n')}\n`);
  const { task } = await project.plan('Mend it. [[script:plans]]', 9);
  return { project, task };
}

it('a planner that orders the same steps three times is held, and goes on when somebody has looked', async () => {
  const { project, task } = await planned(['Mend the door.', 'Mend the  door.', 'Mend the door.']);
  expect(task).toMatchObject({ status: 'blocked', reason: { kind: 'loop', who: 'a person' } });
  const text = task.status === 'blocked' ? task.reason.text : '';
  expect(text).toMatch(/^step Plan round 1 .*3 times/);
  expect(text).toContain(`docket task resume ${task.id}`);
  expect(Object.keys(project.finals())).not.toContain('mend-2');
  expect((await project.resume()).task.status).toBe('done');
  expect(Object.keys(project.finals())).toContain('mend-2');
});

it('a planner that orders other work each time is not', async () => {
  const { task } = await planned(['Mend the door.', 'Mend the roof.', 'Mend the door.']);
  expect(task.status).toBe('done');
});
