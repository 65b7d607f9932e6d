import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { changesSince, type Change } from '../../src/workspace/changes.ts';
import { takeSnapshot } from '../../src/workspace/snapshot.ts';
import { keepInside, undo } from '../../src/workspace/undo.ts';
import { TestRepository } from '../support/repository.ts';
import { scratch, treeOf } from '../support/scratch.ts';

const files = { 'src/a.ts': 'a\n', 'lib/b.ts': 'b\n', 'tool.sh': 'echo\n', 'old name': 'old\n' };
const outside = (changes: readonly Change[]) =>
  changes.map(({ path }) => path).filter((name) => !name.startsWith('src/'));

/** Everything but git's objects and logs, which an agent's commit may leave behind. */
const shape = (repository: TestRepository): Record<string, string> =>
  Object.fromEntries(
    Object.entries(treeOf(repository.root)).filter(([name]) => !/(^|\/)\.git\/(?!hooks|config)/.test(name)),
  );

/** Does the work of an agent: something in `src`, which stays, and something else, which must be as if it never was. */
async function heldInside(
  repository: TestRepository,
  act: () => void,
): Promise<{ changes: Change[]; patch: string }> {
  const snapshot = await repository.snapshot();
  const before = shape(repository);
  const index = repository.git('ls-files', '--stage');
  repository.write('src/good.ts', 'good\n');
  repository.write('src/a.ts', 'better\n');
  act();
  const changes = (await changesSince(repository, snapshot)).filter(({ path }) => !path.startsWith('src/'));
  const { kept, undone, patch } = await keepInside(repository, snapshot, outside);
  expect(undone).toEqual([...new Set(changes.map(({ path }) => path))]);
  expect(kept.map(({ path, kind }) => ({ path, kind }))).toEqual([
    { path: 'src/a.ts', kind: 'modified' },
    { path: 'src/good.ts', kind: 'added' },
  ]);
  expect([repository.read('src/a.ts'), repository.read('src/good.ts')]).toEqual(['better\n', 'good\n']);
  const after = shape(repository);
  expect({ ...after, 'src/a.ts': '', 'src/good.ts': '' }).toEqual({
    ...before,
    'src/a.ts': '',
    'src/good.ts': '',
  });
  expect(repository.git('ls-files', '--stage')).toBe(index);
  return { changes, patch: patch.toString() };
}

describe('what is out of scope is caught and undone, and the rest of the work stays', () => {
  it('a rename out of scope', async () => {
    const repository = new TestRepository(files);
    const { changes, patch } = await heldInside(repository, () =>
      repository.git('mv', 'old name', 'new name'),
    );
    expect(changes).toEqual([
      { path: 'new name', kind: 'added' },
      { path: 'old name', kind: 'deleted' },
    ]);
    expect(patch).toContain('+++ b/new name');
  });

  it('a new file, in a new folder, staged', async () => {
    const repository = new TestRepository(files);
    const { changes, patch } = await heldInside(repository, () => {
      repository.write('deep/er/new.txt', 'new\n');
      repository.git('add', 'deep');
    });
    expect(changes).toEqual([{ path: 'deep/er/new.txt', kind: 'added' }]);
    expect(patch).toContain('+new\n');
  });

  it('a mode change', async () => {
    const repository = new TestRepository(files);
    const { changes, patch } = await heldInside(repository, () =>
      fs.chmodSync(repository.place('tool.sh'), 0o755),
    );
    expect(changes).toEqual([{ path: 'tool.sh', kind: 'mode' }]);
    expect(patch).toContain('new mode 100755');
  });

  it('a symlink to outside, in the place of a file and of a whole folder', async () => {
    const repository = new TestRepository(files);
    const elsewhere = scratch();
    fs.writeFileSync(path.join(elsewhere, 'b.ts'), 'not mine\n');
    const { changes } = await heldInside(repository, () => {
      fs.rmSync(repository.place('tool.sh'));
      fs.symlinkSync('/etc/hostname', repository.place('tool.sh'));
      fs.rmSync(repository.place('lib'), { recursive: true });
      fs.symlinkSync(elsewhere, repository.place('lib'));
    });
    expect(changes).toEqual([
      { path: 'lib', kind: 'symlink' },
      { path: 'lib/b.ts', kind: 'deleted' },
      { path: 'tool.sh', kind: 'symlink' },
    ]);
    expect(fs.readFileSync(path.join(elsewhere, 'b.ts'), 'utf8')).toBe('not mine\n');
  });

  it('a file that became a folder, and one that became a pipe', async () => {
    const repository = new TestRepository(files);
    const { changes } = await heldInside(repository, () => {
      fs.rmSync(repository.place('tool.sh'));
      repository.write('tool.sh/inner', 'x');
      fs.rmSync(repository.place('old name'));
      execFileSync('mkfifo', [repository.place('old name')]);
    });
    expect(changes).toEqual([
      { path: 'old name', kind: 'deleted' },
      { path: 'tool.sh', kind: 'deleted' },
      { path: 'tool.sh/inner', kind: 'added' },
    ]);
  });

  it('a repository that is new, in the place of a file', async () => {
    const repository = new TestRepository(files);
    const { changes } = await heldInside(repository, () => {
      fs.rmSync(repository.place('tool.sh'));
      repository.git('init', '--quiet', 'tool.sh');
      repository.write('tool.sh/x', 'x\n');
      repository.commit('tool.sh');
    });
    expect(changes).toEqual([
      { path: 'tool.sh', kind: 'submodule' },
      { path: 'tool.sh', kind: 'deleted' },
      { path: 'tool.sh/x', kind: 'added' },
    ]);
    expect(fs.readdirSync(path.join(repository.home, 'undone'))).toHaveLength(1);
  });

  it('a write to .git/hooks and to the settings', async () => {
    const repository = new TestRepository(files);
    repository.write('.git/hooks/pre-commit', '#!/bin/sh\n');
    fs.chmodSync(repository.place('.git/hooks/pre-commit'), 0o755);
    const { changes, patch } = await heldInside(repository, () => {
      repository.write('.git/hooks/post-commit', '#!/bin/sh\necho owned\n');
      fs.chmodSync(repository.place('.git/hooks/post-commit'), 0o755);
      repository.write('.git/hooks/pre-commit', 'changed\n');
      repository.git('config', 'core.fsmonitor', 'evil');
    });
    expect(changes).toEqual([
      { path: '.git/config', kind: 'hook' },
      { path: '.git/hooks/post-commit', kind: 'hook' },
      { path: '.git/hooks/pre-commit', kind: 'hook' },
    ]);
    expect(patch).toContain('+echo owned\n');
  });

  it('the same hook once more', async () => {
    const repository = new TestRepository(files);
    const before = await repository.snapshot();
    for (let times = 0; times < 2; times += 1) {
      repository.write('.git/hooks/post-commit', '#!/bin/sh\necho owned\n');
      await undo(repository, before, ['.git/hooks/post-commit']);
      expect(fs.existsSync(repository.place('.git/hooks/post-commit'))).toBe(false);
    }
  });

  it('a path with spaces, unicode and newline', async () => {
    const name = ' spaced  näme\n"quoted"\t.txt';
    const repository = new TestRepository({ ...files, [name]: 'mine\n' });
    const { changes } = await heldInside(repository, () => {
      repository.write(name, 'theirs\n');
      repository.write(`${name}2`, 'new\n');
      fs.writeFileSync(Buffer.from(`${repository.root}/latin-\xe9`, 'latin1'), 'x'); // no UTF-8
    });
    expect(changes.map(({ kind }) => kind)).toEqual(['modified', 'added', 'added']);
    expect(changes[0]?.path).toBe(name);
  });

  it('a deleted file, deleted by a commit', async () => {
    const repository = new TestRepository(files);
    const snapshot = await repository.snapshot();
    repository.git('rm', '--quiet', 'lib/b.ts');
    repository.git('commit', '--quiet', '-m', 'gone');
    expect(await changesSince(repository, snapshot)).toEqual([{ path: 'lib/b.ts', kind: 'deleted' }]);
    await undo(repository, snapshot, ['lib/b.ts']);
    expect(repository.read('lib/b.ts')).toBe('b\n');
    expect(repository.git('status', '--porcelain')).toBe('A  lib/b.ts\n');
  });

  it('bytes that are no text, and what was not committed before', async () => {
    const repository = new TestRepository({ ...files, 'pic.bin': 'x' });
    const mine = Buffer.from([0, 255, 254, 10, 13, 0]);
    repository.write('pic.bin', mine);
    repository.write('untracked.txt', 'draft\r\n');
    const { patch } = await heldInside(repository, () => {
      repository.write('pic.bin', Buffer.from([9, 0, 200]));
      repository.write('untracked.txt', 'ruined');
    });
    expect(patch).toContain('GIT binary patch');
    expect(fs.readFileSync(repository.place('pic.bin'))).toEqual(mine);
  });
});

describe('a snapshot', () => {
  it('touches nothing of the user, and says nothing changed when nothing did', async () => {
    const repository = new TestRepository(files);
    repository.write('lib/b.ts', 'dirty\n');
    repository.git('add', 'lib/b.ts');
    repository.write('lib/b.ts', 'dirtier\n');
    const before = treeOf(repository.root);
    const snapshot = await repository.snapshot();
    expect(await changesSince(repository, snapshot)).toEqual([]);
    expect(treeOf(repository.root)).toEqual(before);
  });

  it('can be written down and used by another process', async () => {
    const repository = new TestRepository(files);
    const snapshot = JSON.parse(JSON.stringify(await repository.snapshot())) as Awaited<
      ReturnType<typeof takeSnapshot>
    >;
    await repository.snapshot();
    repository.write('tool.sh', 'other');
    expect(await changesSince(repository, snapshot)).toEqual([{ path: 'tool.sh', kind: 'modified' }]);
  });

  it('leaves out what git ignores, but not what is watched or tracked, nor what docket keeps', async () => {
    const repository = new TestRepository({ '.gitignore': '.env\nbuild\nforced\n' });
    repository.write('forced', 'x');
    repository.git('add', '--force', 'forced');
    repository.write('.env', 'A=1\n');
    const watched = { below: ['.env', 'secrets'], matches: (name: string) => name === '.env' };
    const tree = { root: repository.root, home: repository.home, watched };
    const snapshot = await takeSnapshot(tree);
    repository.write('.env', 'A=2\n');
    repository.write('build/out', 'x');
    repository.write('forced', 'y');
    repository.write('.tmp/task/t1/manifest.yaml', 'x');
    repository.write('.docket/state', 'x');
    expect(await changesSince(tree, snapshot)).toEqual([
      { path: '.env', kind: 'modified' },
      { path: 'forced', kind: 'modified' },
    ]);
    await undo(tree, snapshot, ['.env']);
    expect(repository.read('.env')).toBe('A=1\n');
  });

  it('is not fooled by rules that hide files', async () => {
    const repository = new TestRepository(files);
    const snapshot = await repository.snapshot();
    repository.write('.gitignore', 'hidden*\n.gitignore\n');
    repository.write('.git/info/exclude', 'also\n');
    repository.write('hidden.txt', 'x');
    repository.write('also', 'x');
    const { undone } = await keepInside(repository, snapshot, outside);
    expect(undone).toEqual(['.git/info/exclude', '.gitignore', 'also', 'hidden.txt']);
  });

  it('keeps bytes as they are where filters and line ends would change them', async () => {
    const repository = new TestRepository({
      '.gitattributes': '* text=auto eol=crlf filter=loud\n',
      ...files,
    });
    repository.git('config', 'filter.loud.clean', 'touch ../ran; cat');
    repository.write('tool.sh', 'one\r\ntwo\n');
    const snapshot = await repository.snapshot();
    repository.write('tool.sh', 'gone');
    await undo(repository, snapshot, ['tool.sh']);
    expect(repository.read('tool.sh')).toBe('one\r\ntwo\n');
    expect(fs.existsSync(repository.place('../ran'))).toBe(false);
  });

  it('works below the top of a repository, before the first commit, and with the other kind of hash', async () => {
    const repository = new TestRepository(files);
    const below = { root: repository.place('src'), home: repository.home };
    const snapshot = await takeSnapshot(below);
    repository.write('src/a.ts', 'other');
    expect(await changesSince(below, snapshot)).toEqual([{ path: 'a.ts', kind: 'modified' }]);
    const dir = scratch();
    repository.git('init', '--quiet', '--object-format=sha256', dir);
    const young = { root: dir, home: path.join(dir, '.docket/packet') };
    const empty = await takeSnapshot(young);
    fs.writeFileSync(path.join(dir, 'new'), 'x');
    await undo(young, empty, ['new']);
    expect(fs.readdirSync(dir).toSorted()).toEqual(['.docket', '.git']);
  });

  it('is refused without git, with a reason', async () => {
    const root = scratch();
    await expect(takeSnapshot({ root, home: path.join(root, '.docket/x') })).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('out of scope') as string,
    });
  });
});
