import { expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { actions, subtask, TaskProject } from '../../support/task-project.ts';

const gate = { id: 'gate-design', type: 'milestone-gate', state: 'open' };

/** Two layers, as a person writes them into the file. */
async function squad(gates: object[] = []): Promise<TaskProject> {
  const project = new TaskProject();
  await project.create('squad');
  project.edit('task.yaml', (text) => {
    const file = parseDocument(text);
    const milestone = (id: string, dependsOn: string[]) => ({
      id,
      title: `The ${id}`,
      state: 'pending',
      dependsOn,
    });
    file.set('milestones', [milestone('design', []), milestone('build', ['design'])]);
    file.set('gates', gates);
    return file.toString();
  });
  return project;
}

const work = actions(
  subtask('make', 'success', { milestone: 'build' }),
  subtask('draw', 'success', { milestone: 'design' }),
  subtask('ask', 'success', { milestone: 'design' }),
);
const milestones = (project: TaskProject) =>
  Object.fromEntries(project.list('task.yaml', 'milestones').map(({ id, state }) => [id, state]));

it('a layer begins when the one before it is done', async () => {
  const project = await squad();
  expect((await project.run(work, { parallel: 4 })).task.status).toBe('done');
  expect(
    project.codex
      .visits()
      .map(({ title }) => title)
      .at(-1),
  ).toBe('make');
  expect(project.codex.mostAtOnce()).toBeLessThanOrEqual(2);
  expect(milestones(project)).toEqual({ design: 'done', build: 'done' });
});

it('and not before a person has opened its gate', async () => {
  const project = await squad([gate]);
  const { task, steps } = await project.run(work);
  expect(task.status).toBe('blocked');
  expect(steps.map(({ step, state }) => [step, state])).toEqual([
    ['make', 'waiting'],
    ['draw', 'done'],
    ['ask', 'done'],
    ['gate-design', 'blocked'],
  ]);
  expect(project.list('task.yaml', 'gates')).toMatchObject([
    { id: 'gate-design', type: 'milestone-gate', state: 'blocked' },
  ]);
  await expect(project.resume()).rejects.toMatchObject({ exitCode: 5 });
  expect(project.codex.visits('make')).toEqual([]);
  await project.answer('gate-design', 'approved');
  expect((await project.resume()).task.status).toBe('done');
  expect(project.codex.visits('make')).toHaveLength(1);
  expect(milestones(project)).toEqual({ design: 'done', build: 'done' });
});

it('a gate that is rejected keeps the next layer shut for good', async () => {
  const project = await squad([gate]);
  await project.run(work);
  await project.answer('gate-design', 'rejected', { note: 'It is ugly.' });
  expect((await project.resume()).task.status).toBe('failed');
  const more = actions(subtask('more', 'success', { milestone: 'build' }));
  await expect(project.run(more)).rejects.toMatchObject({
    code: 'INVALID',
    message: expect.stringContaining('gate-design'),
  });
  expect(project.codex.visits('make').concat(project.codex.visits('more'))).toEqual([]);
});

it('a layer of which something failed lets nothing behind it begin', async () => {
  const project = await squad();
  const tasks = [
    subtask('draw', 'failed', { milestone: 'design' }),
    subtask('make', 'success', { milestone: 'build' }),
  ];
  expect((await project.run(actions(...tasks))).steps).toMatchObject([
    { state: 'failed' },
    { state: 'failed', summary: expect.stringContaining('draw') },
  ]);
  expect(project.codex.visits('make')).toEqual([]);
});
