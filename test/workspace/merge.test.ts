import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { commitDiff, workTreeDiff } from '../../src/workspace/integrate-diff.ts';
import { removeTrialLeftovers, trialLeftovers, withTrial } from '../../src/workspace/merge-trial.ts';
import { assertLandable, commitTree, mergedTree, moveBranch } from '../../src/workspace/merge.ts';
import { pushBranch } from '../../src/workspace/push.ts';
import { brokenTrial } from '../support/killed-merge.ts';
import { scratch, treeOf } from '../support/scratch.ts';
import { gitIn, put, Workspaces } from '../support/workspaces.ts';

/** A branch beside main with these files. */
function branch(project: Workspaces, name: string, files: Record<string, string>): string {
  project.git('switch', '--quiet', '--create', name, 'main');
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  project.commit();
  project.git('switch', '--quiet', 'main');
  return project.commitOf(name);
}

async function prepared(project: Workspaces, theirs: string): Promise<string> {
  const main = project.commitOf('main');
  const merged = await mergedTree(project.root, main, theirs);
  if ('files' in merged) throw new Error('conflict');
  return commitTree(project.root, { tree: merged.tree, parents: [main, theirs], message: 'merge' });
}

describe('a merge', () => {
  it('is worked out without touching anything, and names the files in conflict', async () => {
    const project = new Workspaces();
    const one = branch(project, 'one', { 'a.txt': '1\n', 'ö b.txt': '1\n' });
    const two = branch(project, 'two', { 'a.txt': '2\n', 'ö b.txt': '2\n', 'c.txt': '' });
    const merged = await mergedTree(project.root, one, two);
    expect(merged).toMatchObject({ files: ['a.txt', 'ö b.txt'], told: expect.stringContaining('CONFLICT') });
    expect(project.git('status', '--porcelain')).toBe('');
  });

  it('moves the files along where the branch is checked out, beside edits of other files', async () => {
    const project = new Workspaces({
      'a.txt': 'one\n',
      'c.txt': 'one\n',
      'd.txt': '',
      '.gitignore': '.docket\n',
    });
    const from = project.commitOf('main');
    const files = { 'a.txt': 'two\n', 'ö b.txt': 'two\n' };
    const to = await prepared(project, branch(project, 'one', files));
    const move = { branch: 'main', from, to };
    const refused = async (name: string) => {
      const error = {
        code: 'REFUSED',
        message: expect.stringMatching(new RegExp(`not committed: ${name}$`)),
      };
      await expect(assertLandable(project.root, move)).rejects.toMatchObject(error);
      await expect(moveBranch(project.root, { ...move, reason: 'x' })).rejects.toMatchObject(error);
    };
    project.write('c.txt', 'mine\n');
    project.git('rm', '--quiet', 'd.txt');
    project.write('staged.txt', 'mine\n');
    project.git('add', 'staged.txt');
    project.write('new.txt', 'mine\n');
    const mine = project.git('status', '--porcelain');
    project.write('a.txt', 'mine\n');
    await refused('a.txt');
    project.git('add', 'a.txt');
    await refused('a.txt');
    project.git('checkout', '--quiet', 'HEAD', 'a.txt');
    project.write('ö b.txt', 'mine, and new\n');
    await refused('ö b.txt');
    expect([project.commitOf('main'), project.read('ö b.txt')]).toEqual([from, 'mine, and new\n']);
    fs.rmSync(project.place('ö b.txt'));
    await assertLandable(project.root, move);
    expect(await moveBranch(project.root, { ...move, reason: 'x' })).toBe('moved');
    expect([project.read('a.txt'), project.read('ö b.txt')]).toEqual(['two\n', 'two\n']);
    expect([project.read('c.txt'), project.git('status', '--porcelain')]).toEqual(['mine\n', mine]);
    expect(await moveBranch(project.root, { ...move, reason: 'x' })).toBe('late');
  });

  it('does not move a branch in the middle of a merge of people', async () => {
    const project = new Workspaces();
    const other = branch(project, 'other', { 'c.txt': '' });
    const to = await prepared(project, branch(project, 'one', { 'b.txt': '' }));
    project.git('merge', '--quiet', '--no-ff', '--no-commit', other);
    await expect(
      assertLandable(project.root, { branch: 'main', from: project.commitOf('main'), to }),
    ).rejects.toMatchObject({ message: expect.stringContaining('a merge is in progress'), code: 'REFUSED' });
  });

  it('moves a name alone where it is not, and only from where it was', async () => {
    const project = new Workspaces();
    project.git('branch', 'target');
    const from = project.commitOf('main');
    const to = await prepared(project, branch(project, 'one', { 'b.txt': 'two\n' }));
    expect(await moveBranch(project.root, { branch: 'target', from: to, to: from, reason: 'x' })).toBe(
      'late',
    );
    expect(await moveBranch(project.root, { branch: 'target', from, to, reason: 'x' })).toBe('moved');
    expect([project.commitOf('target'), project.commitOf('main')]).toEqual([to, from]);
  });

  it('is tried in a repository of its own that is removed afterwards, also one that a crash left', async () => {
    const project = new Workspaces({
      'a.txt': '',
      '.gitignore': '.docket\n.env\n',
      '.worktreeinclude': '.env\n',
    });
    project.write('.env', 'S=1\n');
    put(path.join(project.dir, 'trials/left'), 'a.txt', 'half');
    project.git('tag', 'v1');
    const to = await prepared(project, branch(project, 'one', { 'b.txt': 'two\n' }));
    const before = treeOf(project.place('.git'));
    const seen = await withTrial(project.root, project.dir, to, async (cwd) => [
      ...fs.readdirSync(cwd).toSorted(),
      gitIn(cwd, 'status', '--porcelain').trim(),
      gitIn(cwd, 'describe', '--tags', 'main').trim(),
      gitIn(cwd, 'rev-parse', 'HEAD').trim(),
      gitIn(cwd, 'log', '--format=%s', '-1', 'one').trim(),
    ]);
    const files = ['.env', '.git', '.gitignore', '.worktreeinclude', 'a.txt', 'b.txt'];
    expect(seen).toEqual([...files, '', 'v1', to, 'more']);
    // Nothing of people's own repository changes, whatever somebody does in the trial.
    const failing = withTrial(project.root, project.dir, to, async (cwd) => {
      gitIn(cwd, 'commit', '--quiet', '--allow-empty', '-m', 'x');
      gitIn(cwd, 'branch', '--force', 'main', 'one');
      gitIn(cwd, 'gc', '--quiet', '--prune=now');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(treeOf(project.place('.git'))).toEqual(before);
    expect(fs.readdirSync(path.join(project.dir, 'trials'))).toEqual([]);
  });

  it('is tried below the top of a repository, in a linked work tree, and with sha256', async () => {
    const project = new Workspaces({ 'sub/a.txt': '1', 'top.txt': '' });
    const linked = path.join(scratch(), 'linked "wörk"\n tree');
    project.git('worktree', 'add', '--quiet', linked, '-b', 'side');
    const trial = (root: string) =>
      withTrial(root, project.dir, project.commitOf('main'), async (cwd) => [
        fs.readdirSync(cwd),
        gitIn(cwd, 'rev-parse', '--show-prefix').trim(),
      ]);
    expect(await trial(path.join(linked, 'sub'))).toEqual([['a.txt'], 'sub/']);
    const other = path.join(scratch(), 'in "sha256"');
    fs.mkdirSync(other);
    gitIn(other, 'init', '--quiet', '--object-format=sha256', '--initial-branch=main');
    put(other, 'a.txt', '1');
    gitIn(other, 'add', '.');
    gitIn(other, 'commit', '--quiet', '-m', 'x');
    const dir = scratch();
    const head = gitIn(other, 'rev-parse', 'HEAD').trim();
    const status = await withTrial(other, dir, head, async (cwd) =>
      gitIn(cwd, 'status', '--porcelain', '-b'),
    );
    expect(status.trim()).toBe('## HEAD (no branch)');
  });

  it("finds what an older docket left in people's own repository, and nothing else", () => {
    const project = new Workspaces();
    const { dir } = project;
    const common = project.place('.git');
    const mine = path.join(scratch(), 'mine');
    project.git('worktree', 'add', '--quiet', '--detach', mine);
    const moved = brokenTrial(project.root, '/elsewhere/.docket/queue');
    const own = brokenTrial(project.root, dir);
    const others = [
      brokenTrial(project.root, path.join(scratch(), '.docket/queue'), { isThere: true }),
      brokenTrial(project.root, '/elsewhere/of/somebody'),
    ];
    expect(() => project.git('fetch', project.root)).toThrow('bad object');
    expect(trialLeftovers(common, dir).toSorted()).toEqual([moved, own].toSorted());
    removeTrialLeftovers(common, dir);
    expect(trialLeftovers(common, dir)).toEqual([]);
    expect(fs.readdirSync(path.join(common, 'worktrees')).toSorted()).toEqual(
      ['mine', ...others.map((entry) => path.basename(entry))].toSorted(),
    );
  });
});

describe('a diff', () => {
  it('has committed, staged, changed, deleted and new files, and changes nothing', async () => {
    const project = new Workspaces({ 'a.txt': 'one\n', 'gone.txt': 'x\n', '.gitignore': '.docket\n.env\n' });
    const { plan, cwd } = await project.make();
    put(cwd, 'committed.txt', '1\n');
    gitIn(cwd, 'add', '.');
    gitIn(cwd, 'commit', '--quiet', '-m', 'x');
    put(cwd, 'staged.txt', '2\n');
    gitIn(cwd, 'add', '.');
    put(cwd, 'a.txt', 'changed\n');
    put(cwd, 'new.txt', '3\n');
    put(cwd, '.env', 'SECRET\n');
    fs.rmSync(path.join(cwd, 'gone.txt'));
    const status = gitIn(cwd, 'status', '--porcelain');
    expect((await workTreeDiff(cwd, plan.baseCommit, 'names')).trim().split('\n')).toEqual([
      'a.txt',
      'committed.txt',
      'gone.txt',
      'new.txt',
      'staged.txt',
    ]);
    expect(await workTreeDiff(cwd, plan.baseCommit, 'patch')).toContain('+++ b/new.txt\n@@ -0,0 +1 @@\n+3\n');
    expect(await workTreeDiff(cwd, plan.baseCommit, 'stat')).toContain('5 files changed');
    expect(await workTreeDiff(cwd, plan.baseCommit, 'names', ['new.txt'])).toBe('new.txt\n');
    expect(gitIn(cwd, 'status', '--porcelain')).toBe(status);
    expect(fs.readdirSync(path.join(cwd, '.git')).filter((name) => name.startsWith('docket-index'))).toEqual(
      [],
    );
  });

  it('names files in the letters of their names', async () => {
    const project = new Workspaces({ 'a.txt': 'one\n', '.gitignore': '.docket\n' });
    const { plan, cwd } = await project.make();
    put(cwd, 'größe/文档.md', '1\n');
    expect(await workTreeDiff(cwd, plan.baseCommit, 'names')).toBe('größe/文档.md\n');
    expect(await workTreeDiff(cwd, plan.baseCommit, 'patch')).toContain('+++ b/größe/文档.md\n');
    gitIn(cwd, 'add', '.');
    gitIn(cwd, 'commit', '--quiet', '-m', 'x');
    expect(await commitDiff(cwd, [plan.baseCommit, 'HEAD'], 'stat')).toContain('größe/文档.md');
  });
});

describe('a push', () => {
  it('goes to a remote that is known, and never over others', async () => {
    const project = new Workspaces();
    const bare = path.join(scratch(), 'bare.git');
    project.git('init', '--quiet', '--bare', bare);
    const push = (remote: string) => pushBranch(project.root, { remote, branch: 'one', env: process.env });
    await expect(push('origin')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    project.git('remote', 'add', 'origin', bare);
    await expect(push('--receive-pack=x')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const commit = branch(project, 'one', { 'b.txt': 'two\n' });
    await push('origin');
    expect(gitIn(bare, 'rev-parse', 'one').trim()).toBe(commit);
    project.git('branch', '--force', 'one', branch(project, 'other', { 'c.txt': '' }));
    await expect(push('origin')).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('not here'),
    });
    expect(gitIn(bare, 'rev-parse', 'one').trim()).toBe(commit);
  });
});
