import { expect, it } from 'vitest';
import { actions, subtask, TaskProject } from '../../support/task-project.ts';

it.each([
  [0, [subtask('one')]],
  [1, [subtask('one', 'failed'), subtask('two')]],
  [5, [subtask('one', 'blocked'), subtask('two')]],
  [2, [subtask('one', 'success', { adapter: 'codexx' })]],
] as const)('task run ends with %d', async (code, tasks) => {
  const project = await TaskProject.created();
  project.write('actions.json', actions(...tasks));
  const ran = await project.docket('task', 'run', project.id, '--actions', 'actions.json', '--json');
  expect(ran.code).toBe(code);
  expect(JSON.parse(ran.out)).toMatchObject({ v: 1, ok: code === 0 });
});

it('gates are answered once, and only those that are there', async () => {
  const project = await TaskProject.ran(subtask('one', 'blocked'));
  const gate = async (...args: string[]) => (await project.docket('gate', ...args)).code;
  expect(await gate('approve', project.id, 'gate-two')).toBe(3);
  expect(await gate('approve', 'task-of-another', 'gate-one')).toBe(3);
  expect(await gate('approve', project.id, 'gate-one', '--note', 'left')).toBe(0);
  expect(await gate('reject', project.id, 'gate-one', '--note', 'no')).toBe(4);
  expect((await project.docket('task', 'resume', project.id)).code).toBe(0);
});

it('task run --goal lets an agent plan the rounds', async () => {
  const project = await TaskProject.created();
  const answers = [actions(subtask('one')), JSON.stringify({ done: true, summary: 'The top is reached.' })];
  project.write('plans', answers.join('\n'));
  const goal = ['--goal', 'Reach the top. [[script:plans]]', '--max-rounds', '2'];
  const { code, out } = await project.docket('task', 'run', project.id, ...goal, '--json');
  expect(code).toBe(0);
  expect((JSON.parse(out) as { steps: { step: string }[] }).steps.map(({ step }) => step)).toEqual([
    'orchestrator-1',
    'one',
    'orchestrator-2',
  ]);
});
