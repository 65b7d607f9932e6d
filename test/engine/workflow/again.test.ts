import { expect, it } from 'vitest';
import { TaskProject, actions, subtask } from '../../support/task-project.ts';

it('what failed is tried again in its conversation, and what is done stays done', async () => {
  const project = await TaskProject.created();
  const one = subtask('one', 'failed');
  await project.run(actions(one, subtask('two'), subtask('three', 'success', { needs: ['one'] })));
  const tasks = await project.tasks();
  const signal = AbortSignal.timeout(60_000);
  expect((await tasks.resume(project.id, { signal })).task.status).toBe('failed');
  await expect(tasks.retry(project.id, { signal, steps: ['two'] })).rejects.toMatchObject({ exitCode: 4 });
  await expect(tasks.retry(project.id, { signal, steps: ['no'] })).rejects.toMatchObject({ exitCode: 3 });
  expect(project.codex.visits()).toHaveLength(2);
  const { task } = await tasks.retry(project.id, { signal, note: '[[success]] Node 20 is there now.' });
  expect(task.status).toBe('done');
  const [first, second] = project.codex.visits('one');
  expect(second).toMatchObject({ how: 'resume', from: first?.thread });
  expect(second?.prompt).toContain('Node 20 is there now.');
  expect(project.finals()).toEqual({ one: 'success', two: 'success', three: 'success' });
  expect(project.codex.visits('two')).toHaveLength(1);
});

it('what was given up goes on when it is resumed', async () => {
  const project = await TaskProject.ran(subtask('one', 'blocked'));
  const tasks = await project.tasks();
  await tasks.cancel(project.id, {});
  const { task } = await tasks.resume(project.id, { signal: AbortSignal.timeout(60_000) });
  expect(task).toMatchObject({ status: 'blocked', run: { gates: { 'gate-one': { times: 2 } } } });
});
