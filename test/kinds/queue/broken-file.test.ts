import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { QueueProject, recordText } from '../../support/queue-project.ts';
import { journalOf } from '../../support/scratch.ts';
import { report } from '../../support/shell-project.ts';

interface Answer {
  ok: boolean;
  error?: { message: string; fix: string; data: { exitCode?: number } };
  tasks?: { name: string; status: string }[];
  findings?: { path: string; line?: number; column?: number; message: string; fix: string }[];
}

const broken = 'tasks: everything\n';

async function asked(project: QueueProject, ...args: string[]): Promise<{ code: number; answer: Answer }> {
  const { code, out } = await project.docket(...args, '--json');
  return { code: code ?? -1, answer: JSON.parse(out) as Answer };
}

describe('a tasks.yaml that cannot be read', () => {
  it.each([broken, 'tasks:\n  - name: [a\n'])('makes run say where and what to do: %j', async (text) => {
    const project = new QueueProject(report());
    project.write('.takt/tasks.yaml', text);
    const { code, answer } = await asked(project, 'run');
    expect(code).toBe(5);
    expect(answer).toMatchObject({ ok: false, tasks: [], error: { data: { exitCode: 5 } } });
    expect(answer.error?.message).toMatch(/tasks\.yaml:\d+:\d+: /);
    expect(answer.error?.fix).not.toBe('');
    expect(answer.findings).toMatchObject([
      { path: expect.stringContaining('tasks.yaml'), line: expect.any(Number), column: expect.any(Number) },
    ]);
    expect(project.yaml()).toBe(text);
  });

  it('makes add say so, keeps the new task, leaves the file alone and ends with 5', async () => {
    const project = new QueueProject(report());
    project.write('.takt/tasks.yaml', broken);
    const { code, answer } = await asked(project, 'add', 'Fix the login', '--name', 'login');
    expect(code).toBe(5);
    expect(answer).toMatchObject({ ok: true, name: 'login', findings: [{ line: expect.any(Number) }] });
    expect(project.yaml()).toBe(broken);
    expect(fs.readFileSync(journalOf(project.root), 'utf8')).toContain('"login"');
    // Fixed, the file lists the new task beside what it had.
    project.write('.takt/tasks.yaml', `tasks:\n${recordText({ name: 'before' })}`);
    expect(await asked(project, 'run', '--concurrency', '2')).toMatchObject({
      code: 0,
      answer: { ok: true },
    });
    expect(project.statusByName()).toEqual({ before: 'completed', login: 'completed' });
  });
});

it('names one bad record, runs its neighbors, and says that a person must act', async () => {
  const project = new QueueProject(report());
  const bad = recordText({ name: 'bad' }, 1).replace('"pending"', '"almost"');
  project.write('.takt/tasks.yaml', `tasks:\n${recordText({ name: 'before' })}${bad}`);
  const { code, answer } = await asked(project, 'run');
  expect(code).toBe(5);
  expect(answer.tasks).toMatchObject([{ name: 'before', status: 'done' }]);
  expect(answer.findings).toMatchObject([
    { message: expect.stringContaining('status'), line: expect.any(Number) },
  ]);
  expect(answer.error?.message).toContain('status');
  const list = await asked(project, 'needs-me');
  expect(list.answer.findings).toHaveLength(1);
});

it('waits with tasks whose removal is not confirmed', async () => {
  const project = new QueueProject(report());
  project.records(['one', 'two', 'three', 'four', 'five'].map((name) => ({ name })));
  await project.docket('requeue', 'one');
  project.write('.takt/tasks.yaml', 'tasks: []\n');
  const { code, answer } = await asked(project, 'run');
  expect(code).toBe(5);
  expect(answer.findings).toMatchObject([{ fix: expect.stringContaining('docket queue confirm-removals') }]);
  expect(project.begun()).toEqual([]);
  expect(project.rawRecords()).toHaveLength(5);
  expect((await asked(project, 'needs-me')).answer.findings).toMatchObject([
    { next: ['queue', 'confirm-removals'] },
  ]);
  expect((await asked(project, 'queue', 'confirm-removals')).answer.tasks).toHaveLength(5);
  expect(await asked(project, 'run')).toMatchObject({ code: 0, answer: { ok: true, tasks: [] } });
  expect(project.rawRecords()).toEqual([]);
});
