import fs from 'node:fs';
import { expect, it } from 'vitest';
import { shell, subtask, TaskProject, actions } from '../../support/task-project.ts';

const calls = (project: TaskProject): number =>
  fs.readFileSync(`${project.root}/calls.log`, 'utf8').trimEnd().split('\n').length;

/** A completed task whose log lost its second half. */
async function cutInHalf(): Promise<TaskProject> {
  const project = await TaskProject.created({ counted: shell('echo call >> calls.log') });
  await project.run(actions(subtask('one', 'success', { adapter: 'counted' })));
  expect(project.data('task.yaml')['state']).toBe('completed');
  project.edit('events.jsonl', (text) => {
    const lines = text.trimEnd().split('\n');
    return `${lines.slice(0, lines.length / 2).join('\n')}\n`;
  });
  return project;
}

it('validate finds a log that lost its end, or a line', async () => {
  const project = await cutInHalf();
  const shorter = await project.docket('task', 'validate', project.id);
  expect([shorter.code, shorter.out]).toEqual([2, expect.stringContaining('events are missing at its end')]);
  expect((await project.docket('repair', project.id, '--apply')).code).toBe(0);
  expect((await project.docket('task', 'validate', project.id)).code).toBe(0);
  project.edit('events.jsonl', (text) => text.split('\n').toSpliced(2, 1).join('\n'));
  const dropped = await project.docket('task', 'validate', project.id);
  expect([dropped.code, dropped.out]).toEqual([2, expect.stringContaining('events.jsonl:3')]);
});

it('after a repair completed work is not run again, until a person names it', async () => {
  const project = await cutInHalf();
  expect((await project.docket('repair', project.id, '--apply')).code).toBe(0);
  const resumed = await project.docket('task', 'resume', project.id);
  expect([resumed.code, calls(project)]).toEqual([0, 1]);
  expect(project.log('task.reopened')).toEqual([]);
  await project.docket('task', 'retry', project.id);
  expect(project.log('task.reopened')).toHaveLength(1);
});
