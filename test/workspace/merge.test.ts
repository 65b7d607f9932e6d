import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { commitDiff, workTreeDiff } from '../../src/workspace/integrate-diff.ts';
import { withTrial } from '../../src/workspace/merge-trial.ts';
import { assertLandable, commitTree, mergedTree, moveBranch } from '../../src/workspace/merge.ts';
import { pushBranch } from '../../src/workspace/push.ts';
import { scratch } from '../support/scratch.ts';
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

  it('moves the files along where the branch is checked out, if all is committed', async () => {
    const project = new Workspaces();
    const from = project.commitOf('main');
    const to = await prepared(project, branch(project, 'one', { 'b.txt': 'two\n' }));
    project.write('a.txt', 'mine\n');
    await expect(assertLandable(project.root, 'main')).rejects.toMatchObject({ code: 'REFUSED' });
    const move = () => moveBranch(project.root, { branch: 'main', from, to, reason: 'x' });
    await expect(move()).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('a.txt'),
    });
    project.git('checkout', '--quiet', 'a.txt');
    project.write('b.txt', 'mine, and new\n');
    await expect(move()).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('b.txt'),
    });
    expect([project.commitOf('main'), project.read('b.txt')]).toEqual([from, 'mine, and new\n']);
    fs.rmSync(project.place('b.txt'));
    expect(await move()).toBe('moved');
    expect([project.read('b.txt'), project.git('status', '--porcelain')]).toEqual(['two\n', '']);
    expect(await move()).toBe('late');
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

  it('is tried in a work tree that is gone afterwards, also one that a crash left', async () => {
    const project = new Workspaces({
      'a.txt': '',
      '.gitignore': '.docket\n.env\n',
      '.worktreeinclude': '.env\n',
    });
    project.write('.env', 'S=1\n');
    const left = path.join(project.dir, 'trials/left');
    project.git('worktree', 'add', '--quiet', '--detach', left);
    const to = branch(project, 'one', { 'b.txt': 'two\n' });
    const seen = await withTrial(project.root, project.dir, to, async (cwd) =>
      fs.readdirSync(cwd).toSorted(),
    );
    expect(seen).toEqual(['.env', '.git', '.gitignore', '.worktreeinclude', 'a.txt', 'b.txt']);
    const failing = withTrial(project.root, project.dir, to, async () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(fs.readdirSync(path.join(project.dir, 'trials'))).toEqual([]);
    expect(project.git('worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(1);
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
