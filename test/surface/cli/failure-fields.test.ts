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
