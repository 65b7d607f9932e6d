import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { applyDiff } from '../../src/workspace/apply-diff.ts';
import { TestRepository } from '../support/repository.ts';
import { scratch, treeOf } from '../support/scratch.ts';

const lines = (count: number): string => Array.from({ length: count }, (_, n) => `line ${n + 1}\n`).join('');
const files = {
  'a.txt': lines(20),
  'sub dir/ü.txt': 'one\n',
  'tool.sh': 'echo\n',
  '.gitignore': '.env\nout\n',
};
const edit = '--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n-line 1\n+first line\n line 2\n line 3\n';

/** What must not happen happens nowhere: the whole folder is as it was. */
async function refused(repository: TestRepository, diff: string): Promise<string> {
  const before = treeOf(repository.root);
  const outcome = await applyDiff(repository, diff);
  expect(treeOf(repository.root)).toEqual(before);
  return typeof outcome === 'string' ? outcome : outcome.problem;
}

describe('a diff', () => {
  it('is applied, and is known when it was applied before', async () => {
    const repository = new TestRepository(files);
    expect(await applyDiff(repository, edit)).toBe('applied');
    expect(repository.read('a.txt')).toContain('first line\nline 2');
    expect(repository.git('status', '--porcelain')).toBe(' M a.txt\n');
    expect(await refused(repository, edit)).toBe('already');
  });

  it('may add, delete, rename, change modes and bytes, and have names of all kinds', async () => {
    const repository = new TestRepository({ ...files, 'pic.bin': '\0one' });
    repository.git('mv', 'sub dir/ü.txt', 'sub dir/é\t".txt');
    repository.git('rm', '--quiet', 'a.txt');
    repository.write('new/deep.txt', 'new\n');
    repository.write('pic.bin', Buffer.from([0, 1, 2, 255]));
    fs.chmodSync(repository.place('tool.sh'), 0o755);
    repository.git('add', '--all');
    const diff = repository.git('diff', '--cached', '--binary', '-M');
    const wanted = repository.git('write-tree');
    repository.git('reset', '--quiet', '--hard');
    expect(await applyDiff(repository, diff)).toBe('applied');
    repository.git('add', '--all');
    expect(repository.git('write-tree')).toBe(wanted);
  });

  it('is applied to work that is not committed, beside other work', async () => {
    const repository = new TestRepository(files);
    repository.write('a.txt', `${lines(19)}my last line\n`);
    repository.write('mine.txt', 'mine\n');
    expect(await applyDiff(repository, edit)).toBe('applied');
    expect(repository.read('a.txt')).toMatch(/^first line\n[^]*my last line\n$/);
    expect(repository.read('mine.txt')).toBe('mine\n');
  });

  it('is applied without a/ and b/, with a time behind the name, and with hunks that are counted wrong', async () => {
    const plain = edit.replaceAll(/ [ab]\/a.txt/g, ' a.txt\t2026-01-01 00:00:00');
    expect(await applyDiff(new TestRepository(files), plain)).toBe('applied');
    const miscounted = edit.replace('-1,3 +1,3', '-1,9 +1,4');
    expect(await applyDiff(new TestRepository(files), miscounted)).toBe('applied');
  });

  it('is merged where the lines around it changed, and leaves no trace of a conflict', async () => {
    const repository = new TestRepository(files);
    repository.write('a.txt', lines(20).replace('line 2\n', 'line two\n'));
    const theirs = repository.git('diff');
    repository.git('checkout', '--quiet', '.');
    repository.write('a.txt', lines(20).replace('line 5\n', 'line five\n'));
    expect(await applyDiff(repository, theirs)).toBe('applied');
    expect(repository.read('a.txt')).toMatch(/line two\n[^]*line five\n/);
    repository.write('a.txt', lines(20).replace('line 2\n', 'line zwei\n'));
    expect(await refused(repository, theirs)).toContain('patch does not apply');
    expect(repository.git('diff', '--name-only', '--diff-filter=U')).toBe('');
  });

  it.each([
    ['outside', '--- /dev/null\n+++ b/../out.txt\n@@ -0,0 +1 @@\n+x\n', 'invalid path'],
    ['an absolute path', '--- /dev/null\n+++ /tmp/docket-out.txt\n@@ -0,0 +1 @@\n+x\n', 'invalid path'],
    ['.git/hooks', '--- /dev/null\n+++ b/.git/hooks/pre-commit\n@@ -0,0 +1 @@\n+x\n', 'invalid path'],
    ['.GIT', '--- /dev/null\n+++ b/.GIT/config\n@@ -0,0 +1 @@\n+x\n', 'invalid path'],
    ['an ignored file', '--- /dev/null\n+++ b/.env\n@@ -0,0 +1 @@\n+x\n', 'git ignores it'],
    ['an ignored link', '--- /dev/null\n+++ b/out/x\n@@ -0,0 +1 @@\n+x\n', 'which is no folder'],
    ['no diff at all', 'just words\n', 'No valid patches'],
    ['a hunk without a file', '@@ -1 +1 @@\n-a\n+b\n', 'fragment without header'],
    [
      'a link',
      'diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc\n\\ No newline at end of file\n',
      'l is a link',
    ],
    [
      'a link and a file behind it',
      'diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/tmp\n\\ No newline at end of file\ndiff --git a/l/x b/l/x\nnew file mode 100644\n--- /dev/null\n+++ b/l/x\n@@ -0,0 +1 @@\n+x\n',
      'l',
    ],
    [
      'a submodule',
      `diff --git a/m b/m\nnew file mode 160000\n--- /dev/null\n+++ b/m\n@@ -0,0 +1 @@\n+Subproject commit ${'1'.repeat(40)}\n`,
      'm is a submodule',
    ],
  ])('is refused, with nothing done: %s', async (_, diff, problem) => {
    const repository = new TestRepository(files);
    repository.write('.env', 'KEY=1\n');
    fs.symlinkSync(scratch(), repository.place('out'));
    expect(await refused(repository, diff)).toContain(problem);
    expect(fs.existsSync('/tmp/docket-out.txt')).toBe(false);
  });
});
