import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { changesSince } from '../../src/workspace/changes.ts';
import { undo } from '../../src/workspace/undo.ts';
import { TestRepository } from '../support/repository.ts';

/** A repository with a submodule in `sub`, and with one that was never checked out in `empty`. */
function withSubmodule(): TestRepository {
  const other = new TestRepository({ 'in.txt': 'in\n', 'more.txt': 'more\n' });
  const repository = new TestRepository({ 'src/a.ts': 'a\n' });
  repository.git('submodule', '--quiet', 'add', other.root, 'sub');
  repository.git('submodule', '--quiet', 'add', other.root, 'empty');
  repository.commit();
  repository.git('submodule', '--quiet', 'deinit', '--force', 'empty');
  return repository;
}

describe('a submodule', () => {
  it('is as it was after edits, a commit, a switch and a hook in it; other work in it stays', async () => {
    const repository = withSubmodule();
    const snapshot = await repository.snapshot();
    expect(await changesSince(repository, snapshot)).toEqual([]);
    const before = repository.git('submodule', 'status', 'sub');
    repository.git('-C', 'sub', 'switch', '--quiet', '--create', 'elsewhere');
    repository.write('sub/in.txt', 'committed\n');
    repository.commit('sub');
    repository.git('add', 'sub');
    repository.write('sub/more.txt', 'kept\n');
    repository.write('.git/modules/sub/hooks/pre-commit', 'echo owned\n');
    const changes = await changesSince(repository, snapshot);
    expect(changes).toEqual([
      { path: 'sub', kind: 'submodule' },
      { path: 'sub/.git/hooks/pre-commit', kind: 'hook' },
      { path: 'sub/in.txt', kind: 'modified' },
      { path: 'sub/more.txt', kind: 'modified' },
    ]);
    const patch = await undo(repository, snapshot, ['sub', 'sub/.git/hooks/pre-commit', 'sub/in.txt']);
    expect(patch.toString()).toContain('+++ b/sub/in.txt');
    expect(await changesSince(repository, snapshot)).toEqual([{ path: 'sub/more.txt', kind: 'modified' }]);
    expect(repository.git('submodule', 'status', 'sub')).toBe(before);
    expect(repository.git('-C', 'sub', 'status', '--porcelain')).toBe(' M more.txt\n');
    expect(repository.git('diff', '--cached', '--name-only')).toBe('');
  });

  it('comes back when it was deleted, or a link was put in its place', async () => {
    const repository = withSubmodule();
    const snapshot = await repository.snapshot();
    fs.rmSync(repository.place('sub'), { recursive: true });
    fs.symlinkSync(path.dirname(repository.root), repository.place('sub'));
    const paths = (await changesSince(repository, snapshot)).map((change) => change.path);
    expect(paths.toSorted()).toEqual(['sub', 'sub', 'sub/in.txt', 'sub/more.txt']);
    await undo(repository, snapshot, paths);
    expect(await changesSince(repository, snapshot)).toEqual([]);
    expect(repository.git('status', '--porcelain')).toBe('');
    expect(fs.readdirSync(repository.place('sub')).toSorted()).toEqual(['.git', 'in.txt', 'more.txt']);
  });

  it('that was never checked out: a file in its folder is seen and undone', async () => {
    const repository = withSubmodule();
    const snapshot = await repository.snapshot();
    repository.write('empty/x', 'x');
    expect(await changesSince(repository, snapshot)).toEqual([{ path: 'empty/x', kind: 'added' }]);
    await undo(repository, snapshot, ['empty/x']);
    expect(await changesSince(repository, snapshot)).toEqual([]);
  });
});
