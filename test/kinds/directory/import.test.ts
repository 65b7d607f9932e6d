import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importTask } from '../../../src/kinds/directory/transfer.ts';
import { scratch, treeOf } from '../../support/scratch.ts';
import { paxPath, tarGzOf, type TarEntry } from '../../support/tar.ts';

const good: TarEntry[] = [
  { name: 'T-1/', type: '5' },
  { name: 'T-1/task.yaml', body: '# mine\nid: "T-1"\ntitle: x\n' },
  { name: 'T-1/shared/human-notes.md', body: '# Notes\n' },
];

test('an archive of a task becomes its directory', async () => {
  const { root, file, tasksDir } = given(good);
  expect(await importTask({ file, tasksDir, dryRun: false })).toEqual({ id: 'T-1', files: 2 });
  expect(fs.readdirSync(tasksDir)).toEqual(['T-1']);
  expect(fs.readFileSync(path.join(tasksDir, 'T-1', 'shared', 'human-notes.md'), 'utf8')).toBe('# Notes\n');
  expect(fs.readdirSync(root).toSorted()).toEqual(['.agentmesh', 'a.tar.gz']);
});

test('a dry run says what would come, and changes nothing', async () => {
  const { root, file, tasksDir } = given(good);
  const before = treeOf(root);
  expect(await importTask({ file, tasksDir, dryRun: true })).toEqual({ id: 'T-1', files: 2 });
  expect(treeOf(root)).toEqual(before);
});

test.each([true, false])('a task that is here stays as it is (dry run: %s)', async (dryRun) => {
  const { root, file, tasksDir } = given(good);
  fs.mkdirSync(path.join(tasksDir, 'T-1'), { recursive: true });
  fs.writeFileSync(path.join(tasksDir, 'T-1', 'task.yaml'), 'mine');
  const before = treeOf(root);
  await expect(importTask({ file, tasksDir, dryRun })).rejects.toMatchObject({
    code: 'REFUSED',
    data: { id: 'T-1' },
  });
  expect(treeOf(root)).toEqual(before);
});

const task = (id: string, name = id): TarEntry => ({ name: `${name}/task.yaml`, body: `id: ${id}\n` });
const wrong: Record<string, TarEntry[]> = {
  'two tasks': [task('T-1'), task('T-2')],
  'a file beside the folder': [task('T-1'), { name: 'notes.txt', body: '' }],
  'a folder that is no id': [task('T-1', 'T 1')],
  'a folder that is a word of JavaScript': [task('__proto__')],
  'an id that is too long': [paxPath(`${'x'.repeat(129)}/task.yaml`), task('x'.repeat(129), 'x')],
  'a hidden folder': [task('T-1', '.T-1')],
  'no task.yaml': [{ name: 'T-1/README.md', body: '' }],
  'a task.yaml further down only': [{ name: 'T-1/shared/task.yaml', body: 'id: T-1\n' }],
  'the id of another task': [task('T-2', 'T-1')],
  'a task.yaml that is no YAML': [{ name: 'T-1/task.yaml', body: 'id: [T-1\n' }],
  'a task.yaml that is a list': [{ name: 'T-1/task.yaml', body: '- id: T-1\n' }],
  'an empty task.yaml': [{ name: 'T-1/task.yaml', body: '' }],
  'a task.yaml of megabytes': [{ name: 'T-1/task.yaml', body: `id: T-1\n#${'x'.repeat(5_000_000)}` }],
  'a link out': [...good, { name: 'T-1/shared/x', type: '2', link: '/etc' }],
  'a way up': [...good, { name: 'T-1/../T-2/task.yaml', body: 'x' }],
  nothing: [],
};
test.each(Object.entries(wrong))('refuses %s, and changes nothing', async (_, entries) => {
  const { root, file, tasksDir } = given(entries);
  const before = treeOf(root);
  await expect(importTask({ file, tasksDir, dryRun: false })).rejects.toMatchObject({ code: 'BAD_FILE' });
  expect(treeOf(root)).toEqual(before);
});

test('an archive that is not there is a clear error', async () => {
  const root = scratch();
  const missing = { file: path.join(root, 'none.tar.gz'), tasksDir: root, dryRun: true };
  await expect(importTask(missing)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

function given(entries: TarEntry[]): { root: string; file: string; tasksDir: string } {
  const root = scratch();
  const file = path.join(root, 'a.tar.gz');
  fs.writeFileSync(file, tarGzOf(entries));
  return { root, file, tasksDir: path.join(root, '.agentmesh', 'tasks') };
}
