import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { validateTaskDir } from '../../../src/kinds/directory/validate.ts';
import { scratch, treeOf } from '../../support/scratch.ts';
import { eventOf, taskDirectory } from '../../support/task-directory.ts';

const id = 'T-1';
const created = eventOf(id, 'task.created');

test('a directory as it should be has nothing against it, and is not touched', async () => {
  const root = scratch();
  const dir = taskDirectory(root, id);
  const before = treeOf(root);
  expect(await validateTaskDir(dir)).toEqual([]);
  expect(treeOf(root)).toEqual(before);
});

test('finds links that lead out, and no others', async () => {
  const root = scratch();
  const dir = taskDirectory(root, id, { 'agents/w1/codex_home/config.toml': '' });
  fs.symlinkSync('/etc/passwd', path.join(dir, 'agents/w1/codex_home/auth.json'));
  fs.symlinkSync('human-notes.md', path.join(dir, 'shared/in.md'));
  fs.symlinkSync('/etc/passwd', path.join(dir, 'shared/out.md'));
  fs.symlinkSync('gone', path.join(root, 'gone'));
  fs.symlinkSync(path.join(root, 'gone'), path.join(dir, 'shared/circle.md'));
  const found = (await validateTaskDir(dir)).map(({ path: file }) => path.relative(dir, file));
  expect(found).toEqual(['shared/circle.md', 'shared/out.md']);
});

test('whatever lies in the place of a file is a finding, never a failure', async () => {
  const planted: ((file: string) => void)[] = [
    (file) => execFileSync('sh', ['-c', 'mkfifo "$0"', file]),
    (file) => fs.symlinkSync('/dev/zero', file),
    (file) => fs.mkdirSync(file),
    (file) => fs.writeFileSync(file, Buffer.from([0xff, 0xfe, 0, 1, 2])),
    (file) => fs.writeFileSync(file, '['.repeat(100_000)),
    (file) => fs.writeFileSync(file, `a: &a [x]\n${'b: &b [*a, *a]\n'.repeat(50)}`),
    (file) => {
      fs.writeFileSync(file, '');
      fs.truncateSync(file, 100 * 1024 * 1024);
    },
  ];
  const dir = taskDirectory(scratch(), id);
  const names = fs
    .readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(yaml|jsonl|json)$/.test(name) && !name.includes('runtime'));
  for (const plant of planted)
    for (const name of names) {
      const file = path.join(dir, name);
      const good = fs.readFileSync(file);
      fs.rmSync(file);
      plant(file);
      const findings = await validateTaskDir(dir);
      expect(findings.map((finding) => finding.path)).toContain(file);
      fs.rmSync(file, { recursive: true });
      fs.writeFileSync(file, good);
    }
  expect(await validateTaskDir(dir)).toEqual([]);
});

test('a file that is wrong in every line is told in a few', async () => {
  const dir = taskDirectory(scratch(), id, { 'events.jsonl': created + 'x\n'.repeat(10_000) });
  const findings = await validateTaskDir(dir);
  expect(findings).toHaveLength(20);
});

test('a directory that is not there is an error of its own', async () => {
  await expect(validateTaskDir(path.join(scratch(), 'none'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
