import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { keepAll } from '../../src/workspace/recovery.ts';
import { lossesOf } from '../../src/workspace/remove-losses.ts';
import { gitIn, put, Workspaces } from '../support/workspaces.ts';

const commitAll = (folder: string) => {
  gitIn(folder, 'add', '--all');
  gitIn(folder, 'commit', '--quiet', '-m', 'theirs');
};

/** A clone, and what would be lost with it. */
async function cloned(project = new Workspaces()) {
  const { cwd } = await project.make();
  const losses = async () => lossesOf({ root: project.root, id: 't1', place: cwd });
  const texts = async (savable: boolean) =>
    (await losses()).filter((loss) => loss.savable === savable).map(({ text }) => text);
  return { project, cwd, texts };
}

describe('what would be lost with a clone', () => {
  it('is a repository in it, also one that was added and committed, or whose files alone are left', async () => {
    const { cwd, texts } = await cloned();
    gitIn(cwd, 'init', '--quiet', 'lib');
    put(cwd, 'lib/work.txt', 'precious');
    commitAll(path.join(cwd, 'lib'));
    const lost = [expect.stringContaining('lib/ is a repository of its own')];
    expect(await texts(false)).toEqual(lost);
    commitAll(cwd);
    expect(await texts(false)).toEqual(lost);
    fs.rmSync(path.join(cwd, 'lib/.git'), { recursive: true });
    expect(await texts(false)).toEqual(lost);
  });

  it('is all that has a name there, each stash, and edits from which git looks away; all of it is kept', async () => {
    const { project, cwd, texts } = await cloned();
    const keep = (name: string) => {
      put(cwd, name, name);
      gitIn(cwd, 'add', name);
    };
    for (const name of ['one', 'two']) {
      keep(name);
      gitIn(cwd, 'stash', '--quiet');
    }
    keep('three');
    gitIn(cwd, 'commit', '--quiet', '-m', 'three');
    gitIn(cwd, 'update-ref', 'refs/wip/three', 'HEAD');
    gitIn(cwd, 'reset', '--quiet', '--hard', 'HEAD^');
    gitIn(cwd, 'update-index', '--skip-worktree', 'a.txt');
    gitIn(cwd, 'update-index', '--assume-unchanged', '.gitignore');
    expect((await texts(true)).join()).not.toContain('not committed');
    put(cwd, 'a.txt', 'skipped\n');
    put(cwd, '.gitignore', '.env\n');
    const found = (await texts(true)).join('\n');
    for (const name of [
      'refs/wip/three',
      'stash@{0}',
      'stash@{1}',
      '2 files are not committed: .gitignore, a.txt',
    ])
      expect(found).toContain(name);
    await keepAll(project.root, 't1', 'refs/docket/kept/t1', project.plans.at(-1));
    const kept = project.git('log', '--format=', '--name-only', '--diff-merges=1', 'refs/docket/kept/t1');
    expect(kept.split('\n')).toEqual(expect.arrayContaining(['one', 'two', 'three']));
    expect(project.git('show', 'refs/docket/kept/t1:a.txt')).toBe('skipped\n');
    expect(gitIn(cwd, 'status', '--porcelain')).toBe('');
  });

  it('is what a submodule alone has: edits, and commits that neither the root nor a remote has', async () => {
    const library = new Workspaces({ 'in.txt': 'in\n' });
    const project = new Workspaces();
    project.git('submodule', '--quiet', 'add', library.root, 'lib');
    project.commit();
    const { cwd, texts } = await cloned(project);
    const lib = path.join(cwd, 'lib');
    expect(await texts(false)).toEqual([]);
    put(cwd, 'lib/in.txt', 'changed\n');
    expect(await texts(false)).toEqual([expect.stringContaining('lib in')]);
    commitAll(lib);
    expect(await texts(false)).toEqual([expect.stringContaining('commits that are nowhere else')]);
    gitIn(lib, 'reset', '--quiet', '--hard', 'HEAD^');
    const add = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.root, 'new'];
    gitIn(cwd, ...add);
    expect(await texts(false)).toEqual([]);
    put(cwd, 'new/in.txt', 'changed\n');
    commitAll(path.join(cwd, 'new'));
    expect(await texts(false)).toEqual([expect.stringContaining('the submodule new')]);
  });
});
