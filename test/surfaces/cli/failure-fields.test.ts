import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { ShellProject } from '../../support/shell-project.ts';

it.each([
  ['a report that cannot be read', `echo '{"status":"odd"}'`, 'the agent gave no report'],
  ['a crash', 'echo "No disk." >&2; exit 3', 'No disk.'],
])('tasks.yaml has the step and the last message of %s', { timeout: 60_000 }, async (_what, script, text) => {
  const project = new ShellProject(script);
  await project.docket('add', 'one please', '--name', 'one', '--worktree');
  expect((await project.docket('run')).code).toBe(5);
  expect(parse(project.read('.takt/tasks.yaml'))).toMatchObject({
    tasks: [
      {
        status: 'failed',
        failure: {
          movement: 'work',
          error: expect.stringContaining(text) as string,
          last_message: expect.stringContaining(text) as string,
        },
      },
    ],
  });
});

it('tasks.yaml has them of a step that no rule fits', { timeout: 60_000 }, async () => {
  const project = new ShellProject('echo "I did it"');
  const rules = '[{ condition: alpha, next: COMPLETE }, { condition: beta, next: one }]';
  const step = `  - name: one\n    instruction: Do it.\n    rules: ${rules}\n`;
  fs.mkdirSync(path.join(project.root, '.takt/workflows'), { recursive: true });
  project.write('.takt/workflows/w.yaml', `name: w\nsteps:\n${step}`);
  await project.docket('add', 'one please', '--name', 'one', '--workflow', 'w');
  expect((await project.docket('run')).code).toBe(5);
  expect(parse(project.read('.takt/tasks.yaml'))).toMatchObject({
    tasks: [
      {
        status: 'failed',
        failure: {
          movement: 'one',
          error: expect.stringContaining('no rule of step one fits') as string,
          last_message: 'I did it',
        },
      },
    ],
  });
});

it('tasks.yaml has them of a run that reached its limit of steps', { timeout: 60_000 }, async () => {
  const project = new ShellProject('echo "$$" >> n.txt; echo "I wrote a line."; echo; echo "[ONE:2]"');
  const rules = '[{ condition: alpha, next: COMPLETE }, { condition: beta, next: one }]';
  const step = `  - name: one\n    instruction: Do it.\n    rules: ${rules}\n`;
  fs.mkdirSync(path.join(project.root, '.takt/workflows'), { recursive: true });
  project.write('.takt/workflows/w.yaml', `name: w\nmax_steps: 2\nsteps:\n${step}`);
  await project.docket('add', 'one please', '--name', 'one', '--workflow', 'w', '--worktree');
  expect((await project.docket('run')).code).toBe(5);
  expect(parse(project.read('.takt/tasks.yaml'))).toMatchObject({
    tasks: [{ status: 'failed', failure: { movement: 'one', last_message: 'I wrote a line.' } }],
  });
});
