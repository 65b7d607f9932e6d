import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { QueueProject, recordText } from '../../support/queue-project.ts';
import { report } from '../../support/shell-project.ts';

interface Answer {
  findings: { severity: string; line: number; message: string; fix: string }[];
}

/** Line, severity and first word of what is found. */
async function found(project: QueueProject): Promise<{ code: number | null; rows: unknown[] }> {
  const { code, out } = await project.docket('validate', '--json');
  const { findings } = JSON.parse(out) as Answer;
  return {
    code,
    rows: findings.map(({ severity, line, message }) => [line, severity, message.split(/[ :]/)[0]]),
  };
}

it('names every problem of a record with its line, and what is harmless as a warning', async () => {
  const project = new QueueProject(report());
  const fields = ['status: done', 'issue: z', 'content: 5', 'worktree: [1]', 'depends_on: a'];
  const harmless = ['priority: high', 'nonsense: 4'];
  project.write('.takt/tasks.yaml', `tasks:\n  - name: a\n    ${[...fields, ...harmless].join('\n    ')}\n`);
  expect(await found(project)).toEqual({
    code: 2,
    rows: [
      [3, 'error', 'status'],
      [4, 'error', 'issue'],
      [5, 'error', 'content'],
      [6, 'error', 'worktree'],
      [7, 'error', 'depends_on'],
      [8, 'warning', 'priority'],
      [9, 'warning', 'nonsense'],
    ],
  });
});

it('names the text of a waiting task that is missing', async () => {
  const project = new QueueProject(report());
  const record = recordText({ name: 'a' }).replace(/content: .*/, 'task_dir: .takt/tasks/a');
  project.write('.takt/tasks.yaml', `tasks:\n${record}`);
  const { out, code } = await project.docket('validate');
  expect([code, out]).toEqual([
    2,
    expect.stringContaining('the text of the task is missing: there is no file .takt/tasks/a/order.md'),
  ]);
  fs.mkdirSync(path.join(project.root, '.takt/tasks/a'), { recursive: true });
  project.write('.takt/tasks/a/order.md', 'Do it.\n');
  expect(await found(project)).toEqual({ code: 0, rows: [] });
});
