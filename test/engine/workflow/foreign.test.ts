import { expect, it } from 'vitest';
import { eventOf, taskDirectory } from '../../support/task-directory.ts';
import { actions, subtask, TaskProject } from '../../support/task-project.ts';

/** A directory that another tool made, with one worker of its own. */
function foreign(changes: Record<string, string | null> = {}): TaskProject {
  const project = new TaskProject();
  project.id = 'foreign';
  taskDirectory(project.root, 'foreign', { 'shared/reports/joined-summary.md': null, ...changes });
  return project;
}

it('joins what another tool has done', async () => {
  const project = foreign();
  const { file } = await (await project.tasks()).join('foreign');
  expect(file['state']).toBe('completed');
  expect(project.text('shared/reports/joined-summary.md')).toMatch(/### w1 \(reader\)[^]*Both agree\./);
  expect(project.codex.visits()).toEqual([]);
});

it('works on beside it, and keeps every line of its log', async () => {
  const project = foreign({
    'events.jsonl': eventOf('foreign', 'task.created') + eventOf('foreign', 'their.own'),
  });
  const before = project.text('events.jsonl');
  await project.run(actions(subtask('one')));
  expect(project.text('events.jsonl').startsWith(before)).toBe(true);
  expect(project.list('task.yaml', 'roster').map(({ instance, state }) => [instance, state])).toEqual([
    ['w1', 'completed'],
    ['one', 'completed'],
  ]);
  await expect(project.run(actions(subtask('w1')))).rejects.toMatchObject({ code: 'INVALID' });
});
