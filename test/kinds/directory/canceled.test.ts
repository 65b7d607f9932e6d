import { describe, expect, it } from 'vitest';
import { subtask, TaskProject } from '../../support/task-project.ts';

const byCommand = async (project: TaskProject): Promise<void> => {
  await (await project.tasks()).cancel(project.id, {});
};
const inTheFile = async (project: TaskProject): Promise<void> =>
  project.edit('task.yaml', (text) => text.replace(/^state: .*$/m, 'state: canceled'));

describe.each([
  ['by command', byCommand],
  ['in task.yaml', inTheFile],
])('a task that is canceled %s while a question is open', (_, cancel) => {
  it('is not revived by a resume; a retry asks again and runs nobody before the answer', async () => {
    const project = await TaskProject.ran(subtask('one', 'blocked'), subtask('two'));
    await cancel(project);
    await expect(project.resume()).rejects.toMatchObject({
      code: 'REFUSED',
      fix: expect.stringContaining(`docket task retry ${project.id}`),
    });
    expect(project.data('task.yaml')['state']).toBe('canceled');

    expect((await project.docket('task', 'retry', project.id)).code).toBe(5);
    expect(project.list('task.yaml', 'gates')).toMatchObject([{ id: 'gate-one', state: 'blocked' }]);
    expect(project.codex.visits()).toHaveLength(2);

    await project.answer('gate-one', 'approved', { note: 'Yes. [[success]]' });
    expect((await project.resume()).task.status).toBe('done');
    expect(project.codex.visits('two')).toHaveLength(1);
  });
});
