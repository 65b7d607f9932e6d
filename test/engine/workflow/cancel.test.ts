import { expect, it } from 'vitest';
import { until } from '../../support/project.ts';
import { actions, subtask, TaskProject } from '../../support/task-project.ts';

const cancel = async (project: TaskProject, reason?: string) =>
  (await project.tasks()).cancel(project.id, reason === undefined ? {} : { reason });
/** The worker's supervisor, the worker, and what it started. */
const allUp = (project: TaskProject) => until('all of it', () => project.leftovers().length >= 3);

it('ends the agents of a docket that is dead', async () => {
  const project = await TaskProject.created();
  project.write('actions.json', actions(subtask('one', 'hang')));
  const docket = project.start('task', 'run', project.id, '--actions', 'actions.json');
  await allUp(project);
  docket.kill('SIGKILL');
  await until('its death', () => docket.signalCode !== null);
  const { file, task } = await cancel(project);
  expect(file['state']).toBe('canceled');
  expect(project.leftovers()).toEqual([]);
  expect(task.attempts?.['one']?.end?.outcome).toBe('stopped');
});

it('a canceled task stays so, until it is given new work', async () => {
  const project = await TaskProject.created();
  const run = project.run(actions(subtask('one', 'hang'), subtask('two')), { parallel: 1 });
  await allUp(project);
  await cancel(project, 'It was the wrong one.');
  const { task } = await run;
  expect(task).toMatchObject({ status: 'canceled', attempts: { one: { end: { outcome: 'stopped' } } } });
  expect(project.log('task.canceled')).toMatchObject([{ payload: { reason: 'It was the wrong one.' } }]);
  expect(project.text('README.md')).toContain('state: `canceled`');
  await expect(cancel(project)).rejects.toMatchObject({ code: 'REFUSED', exitCode: 4 });
  expect(project.codex.visits('two')).toEqual([]);
  await project.run(actions(subtask('six')));
  expect(project.finals()).toMatchObject({ six: 'success' });
  expect(project.codex.visits().map(({ title }) => title)).toEqual(['one', 'six']);
});

it('what waits for a person can be given up', async () => {
  const project = await TaskProject.ran(subtask('one', 'blocked'));
  await cancel(project);
  await expect(project.answer('gate-one', 'approved')).rejects.toMatchObject({ exitCode: 4 });
  expect(await project.gates()).toMatchObject([{ gate: 'gate-one', state: 'rejected' }]);
  expect(project.codex.visits()).toHaveLength(1);
});

it('what was given up, or is done, stays so when its results are joined', async () => {
  const project = await TaskProject.ran(subtask('one', 'blocked'));
  await cancel(project);
  const tasks = await project.tasks();
  expect((await tasks.join(project.id)).task.status).toBe('canceled');
  const done = await TaskProject.ran(subtask('one'));
  expect((await (await done.tasks()).join(done.id)).task.status).toBe('done');
  expect(done.log('task.reopened')).toEqual([]);
});
