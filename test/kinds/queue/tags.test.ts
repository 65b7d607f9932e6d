import fs from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { ScriptProject } from '../../support/script-project.ts';

const workflow = `name: two
steps:
  - name: make
    instruction: Make it.
    edit: true
    rules:
      - { condition: It is made, next: COMPLETE }
      - { condition: It cannot be made, next: ABORT }
`;
const edit = { edit: { path: 'b.txt', write: 'x\n' } };
const report = { status: 'success', summary: 'I made it.', changes: ['b.txt: new'] };

/** A task that goes through a step with two rules. */
async function made(rules: object[]) {
  const project = new ScriptProject(rules);
  fs.mkdirSync(path.join(project.root, '.takt/workflows'), { recursive: true });
  project.write('.takt/workflows/two.yaml', workflow);
  return project.ran('m', 'Make it', { workflow: 'two' });
}

vi.setConfig({ testTimeout: 60_000 });

it('a report without a tag is heard, and a judge says which rule holds', async () => {
  const judge = { when: 'JUDGE', steps: [{ say: '[JUDGE:1]' }] };
  const task = await made([judge, { steps: [edit, { report }] }]);
  expect(task).toMatchObject({
    status: 'done',
    run: { states: { make: { report: { summary: 'I made it.' }, chose: { rule: 0, by: 'judge' } } } },
  });
});

it('where nobody can tell which rule holds, the tag that would have is named', async () => {
  const task = await made([{ steps: [edit, { report }] }]);
  expect(task).toMatchObject({ status: 'blocked', reason: { kind: 'gate' } });
  const { text } = task.status === 'blocked' ? task.reason : { text: '' };
  expect(text).toContain('does not end with a tag that says which ([MAKE:1] It is made, [MAKE:2] It cannot');
  expect(text).toContain('docket retry m --from');
});

it('a report that says that it failed is heard', async () => {
  const failed = { status: 'failed', summary: 'No such file.', errors: [] };
  expect(await made([{ steps: [{ report: failed }] }])).toMatchObject({
    status: 'failed',
    failure: { error: expect.stringContaining('No such file.') as unknown },
  });
});
