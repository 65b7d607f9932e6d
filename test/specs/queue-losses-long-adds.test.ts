import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ended } from '../support/child.ts';
import { exitOf } from '../support/kill-rounds.ts';
import { QueueProject, recordText } from '../support/queue-project.ts';
import { report } from '../support/shell-project.ts';

const history = 10_000;

/** Records that were finished long ago, and some that wait. */
function longQueue(waiting: readonly string[]): string {
  const over = Array.from({ length: history }, (_, index) =>
    recordText({
      name: `old-${index}`,
      status: 'completed',
      created_at: '2025-01-01T08:00:00Z',
      started_at: '2025-01-01T09:00:00Z',
      completed_at: '2025-01-01T10:00:00Z',
    }),
  );
  return `tasks:\n${over.join('')}${waiting.map((name, index) => recordText({ name }, index)).join('')}`;
}

describe('behind ten thousand finished records', { timeout: 180_000 }, () => {
  it('ten adds and a run at the same time lose nothing', async () => {
    const project = new QueueProject(`say began\nsleep 0.3\n${report()}`);
    const waiting = ['first', 'second', 'third', 'fourth'];
    project.write('.takt/tasks.yaml', longQueue(waiting));
    const run = exitOf(project.start('run'));
    await project.said('began');
    const added = Array.from({ length: 10 }, (_, index) => `added-${index}`);
    const adds = added.map((name) => ended(project.start('add', `${name} please`, '--name', name, '--json')));
    const answers = await Promise.all(adds);
    expect(answers.map(({ code }) => code)).toEqual(added.map(() => 0));
    const names = answers.map(({ out }) => (JSON.parse(out) as { name: string }).name);
    expect(names).toEqual(added);
    expect(await run).toBe(0);
    // What came when the run had just ended waits for the next.
    expect((await project.docket('run')).code).toBe(0);
    const records = project.rawRecords();
    expect(records).toHaveLength(history + waiting.length + added.length);
    expect(records.filter(({ status }) => status !== 'completed')).toEqual([]);
    expect(records.slice(0, history).map(({ name }) => name)).toEqual(
      Array.from({ length: history }, (_, index) => `old-${index}`),
    );
    expect(project.begun().toSorted()).toEqual([...waiting, ...added].toSorted());
    expect(project.leftovers()).toEqual([]);
    // No folder of a task that is not there.
    const folders = fs.readdirSync(path.join(project.root, '.takt', 'tasks'));
    expect(folders).toHaveLength(added.length);
    expect(records.flatMap(({ task_dir: folder }) => folder ?? []).toSorted()).toEqual(
      folders.map((name) => `.takt/tasks/${name}`).toSorted(),
    );
  });

  it('one edit by hand is one edit: the rest of the file keeps its bytes', async () => {
    const project = new QueueProject(report());
    const text = longQueue(['first', 'second']);
    project.write('.takt/tasks.yaml', text);
    expect((await project.docket('run', 'first')).code).toBe(0);
    const end = text.indexOf('  - name: "first"');
    expect(project.yaml().slice(0, end)).toBe(text.slice(0, end));
    project.write('.takt/tasks.yaml', project.yaml().replace('second please', 'other please'));
    expect((await project.docket('run')).code).toBe(0);
    expect(project.begun()).toEqual(['first', 'other']);
    expect(project.yaml().slice(0, end)).toBe(text.slice(0, end));
  });
});

it('a thousand records and adds without a run', { timeout: 120_000 }, async () => {
  const project = new QueueProject(report());
  const text = longQueue([]).split('  - name: "old-1000"')[0] ?? '';
  project.write('.takt/tasks.yaml', text);
  const adds = Array.from({ length: 10 }, (_, index) => ended(project.start('add', `task number ${index}`)));
  expect((await Promise.all(adds)).map(({ code }) => code)).toEqual(adds.map(() => 0));
  expect(project.rawRecords()).toHaveLength(1000 + adds.length);
  expect(project.yaml().startsWith(text)).toBe(true);
});
