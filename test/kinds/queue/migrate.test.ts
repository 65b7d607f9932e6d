import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { MigratedTask } from '../../../src/kinds/queue/files.ts';
import { openDocket } from '../../../src/project/docket.ts';
import { mirrorOf, scratch } from '../../support/scratch.ts';

const record = (name: string, source: string): string =>
  `  - name: ${name} # keep\n    status: pending\n    ${source}\n    created_at: "2026-01-01T10:11:12Z"\n    started_at: null\n    completed_at: null\n`;
const text = [
  'tasks:\n',
  record('inline', 'content: "# Do it\\n\\nAll of it."'),
  record('far', 'content_file: notes/far.md'),
  record('out', 'content_file: ../secret.md'),
  record('gone', 'content_file: nowhere.md'),
  record('there', 'task_dir: .takt/tasks/there'),
].join('');

function project(): string {
  const root = path.join(scratch(), 'p');
  fs.mkdirSync(path.join(root, '.takt/tasks/there'), { recursive: true });
  fs.mkdirSync(path.join(root, 'notes'));
  fs.writeFileSync(path.join(root, '.takt/tasks/there/order.md'), 'there');
  fs.writeFileSync(path.join(root, 'notes/far.md'), 'far away\n');
  fs.writeFileSync(path.join(root, '../secret.md'), 'secret');
  fs.writeFileSync(mirrorOf(root), text);
  return root;
}

async function migrate(root: string, apply: boolean): Promise<MigratedTask[]> {
  const docket = await openDocket({ cwd: root, root, env: {} });
  try {
    const order = ['inline', 'far', 'out', 'gone', 'busy'];
    const tasks = await (await docket.queueFiles()).migrate(apply);
    return tasks.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  } finally {
    await docket.close();
  }
}

it('shows what it would do, and changes nothing', async () => {
  const root = project();
  expect(await migrate(root, false)).toMatchObject([
    { name: 'inline', from: 'content' },
    { name: 'far', from: 'content_file' },
    { name: 'out', from: 'content_file' },
    { name: 'gone', from: 'content_file' },
  ]);
  expect(fs.readFileSync(mirrorOf(root), 'utf8')).toBe(text);
  expect(fs.readdirSync(path.join(root, '.takt'))).toEqual(['tasks', 'tasks.yaml']);
});

it('moves texts into folders, and leaves what it may or can not read', async () => {
  const root = project();
  const moved = await migrate(root, true);
  const byName = new Map(moved.map((task) => [task.name, task]));
  const order = (name: string): string =>
    fs.readFileSync(path.join(root, byName.get(name)?.taskDir ?? '', 'order.md'), 'utf8');
  expect(order('inline')).toBe('# Do it\n\nAll of it.');
  expect(order('far')).toBe('far away\n');
  expect(byName.get('out')?.skipped).toContain('not inside');
  expect(byName.get('gone')?.skipped).toBe('its text is missing');
  const file = fs.readFileSync(mirrorOf(root), 'utf8');
  expect(file).toContain(
    `- name: inline # keep\n    status: pending\n    task_dir: ${byName.get('inline')?.taskDir}\n`,
  );
  expect(file).toContain('summary: Do it');
  expect(file).toContain('content_file: ../secret.md');
  expect(file).not.toContain('notes/far.md');
  expect(fs.existsSync(path.join(root, 'notes/far.md'))).toBe(true);
  expect((await migrate(root, true)).map(({ name }) => name)).toEqual(['out', 'gone']);
});

it('leaves a running task alone, and what a person wrote in the folder meanwhile', async () => {
  const root = project();
  const [inline] = await migrate(root, false);
  const folder = path.join(root, inline?.taskDir ?? '');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'order.md'), 'mine');
  const running = record('busy', 'content: x')
    .replace('pending', 'running')
    .replace('started_at: null', `started_at: "${new Date().toISOString()}"\n    owner_pid: ${process.pid}`);
  fs.writeFileSync(mirrorOf(root), text + running);
  const moved = await migrate(root, true);
  expect(moved.find(({ name }) => name === 'busy')?.skipped).toBe('it is running');
  expect(fs.readFileSync(path.join(folder, 'order.md'), 'utf8')).toBe('mine');
  expect(fs.readFileSync(mirrorOf(root), 'utf8')).toContain(running.split('\n')[2]);
});
