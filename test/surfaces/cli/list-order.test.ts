import { expect, it } from 'vitest';
import { QueueProject, queueText } from '../../support/queue-project.ts';
import { report } from '../../support/shell-project.ts';

const names = ['zulu', 'bravo', 'mike', 'alpha', 'hotel'];

async function listed(project: QueueProject): Promise<{ rows: string[]; json: string[] }> {
  const { out } = await project.docket('list');
  const { tasks } = await project.json('list');
  return {
    rows: out
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ')[0] ?? ''),
    json: tasks.map(({ title }) => title),
  };
}

it.each([
  [
    'the same time',
    names.map((name) => `  - name: ${name}\n    content: ${name}\n    created_at: "2026-01-01T00:00:00Z"\n`),
  ],
  ['no time', names.map((name) => `  - name: ${name}\n    content: ${name}\n`)],
])(
  'tasks with %s are listed as they stand in the file, before and after docket wrote it',
  async (_, records) => {
    const project = new QueueProject(report());
    project.write('.takt/tasks.yaml', `tasks:\n${records.join('')}`);
    expect(await listed(project)).toEqual({ rows: names, json: names });
    await project.docket('run', 'bravo');
    expect(await listed(project)).toEqual({ rows: names, json: names });
  },
);

it('tasks with a time of their own are listed by it', async () => {
  const project = new QueueProject(report());
  await project.docket('add', 'newest', '--name', 'newest');
  const old = { name: 'oldest', content: 'oldest', created_at: '2026-01-01T00:00:00Z' };
  project.write('.takt/tasks.yaml', `${project.yaml()}${queueText([old]).replace('tasks:\n', '')}`);
  expect((await listed(project)).rows).toEqual(['oldest', 'newest']);
});
