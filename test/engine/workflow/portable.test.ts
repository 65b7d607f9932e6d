import path from 'node:path';
import { expect, it } from 'vitest';
import { scratch } from '../../support/scratch.ts';
import { subtask, TaskProject } from '../../support/task-project.ts';
import { danglingRefs } from '../../support/task-refs.ts';

it('an exported task is the same one elsewhere, without homes and logins', async () => {
  const project = await TaskProject.ran(subtask('one'), subtask('two', 'blocked'));
  const file = path.join(scratch(), 'task.tar.gz');
  const packed = await (await project.tasks()).export(project.id, { file });
  expect(packed.left).toEqual(expect.arrayContaining([expect.stringContaining('codex_home')]));
  const other = new TaskProject();
  const tasks = await other.tasks();
  expect(await tasks.import({ file, dryRun: true })).toMatchObject({ id: project.id });
  expect((await tasks.list()).tasks).toEqual([]);
  ({ id: other.id } = await tasks.import({ file, dryRun: false }));
  expect((await tasks.show(other.id)).file).toEqual((await (await project.tasks()).show(project.id)).file);
  expect(other.has('agents/one/codex_home')).toBe(false);
  expect(danglingRefs(other.dir, other.root)).toEqual([]);
  expect((await tasks.validate(other.id)).filter(({ severity }) => severity === 'error')).toEqual([]);
  await expect(tasks.import({ file, dryRun: false })).rejects.toMatchObject({ code: 'REFUSED', exitCode: 4 });
  // Its session stayed behind: it goes on in a new one.
  await other.answer('gate-two', 'approved', { note: 'left' });
  await other.resume();
  expect(other.codex.visits()).toMatchObject([
    { title: 'two', how: 'new', prompt: expect.stringContaining('left') },
  ]);
});
