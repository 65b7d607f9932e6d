import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch } from '../support/scratch.ts';
import { gitIn, put, Workspaces } from '../support/workspaces.ts';

const branchIn = (folder: string) => gitIn(folder, 'symbolic-ref', '--short', 'HEAD').trim();

describe.each(['clone', 'worktree'] as const)('a workspace (%s)', (kind) => {
  it('is made once, whole, on a branch of its own, and kept', async () => {
    const project = new Workspaces();
    const { plan, cwd } = await project.make({ kind });
    expect(plan).toEqual({
      kind,
      path: path.join(project.dir, 'clones/t1'),
      branch: 'takt/20260201T015714-fix-login',
      base: 'main',
      baseCommit: project.commitOf('main'),
    });
    expect(project.plans).toEqual([plan]);
    expect([branchIn(cwd), fs.readFileSync(path.join(cwd, 'a.txt'), 'utf8')]).toEqual([plan.branch, 'one\n']);
    put(cwd, 'work.txt', 'precious');
    expect(await project.make({ kind, slug: 'other' })).toEqual({ plan, cwd });
    expect(fs.readFileSync(path.join(cwd, 'work.txt'), 'utf8')).toBe('precious');
    expect(fs.readdirSync(path.join(project.dir, 'clones'))).toEqual(['t1']);
    expect(project.branches()).toEqual(['main', plan.branch]);
  });

  it('is left alone when it is half made, and made anew', async () => {
    const project = new Workspaces();
    const first = await project.make({ kind });
    // As a docket leaves it that dies before the name is final.
    const clones = path.join(project.dir, 'clones');
    const half = path.join(clones, '.docket-half.t1.0');
    if (kind === 'clone') fs.renameSync(first.cwd, half);
    else project.git('worktree', 'move', first.cwd, half);
    const again = await project.make({ kind, before: first.plan });
    expect(again.plan).toEqual(first.plan);
    expect(fs.readdirSync(clones)).toEqual(['t1']);
    expect(project.branches()).toEqual(['main', first.plan.branch]);
    expect(gitIn(again.cwd, 'status', '--porcelain')).toBe('');
  });

  it('gets what belongs into it also when docket died right before', async () => {
    const project = new Workspaces();
    project.write('.env', 'SECRET=1\n');
    project.write('.worktreeinclude', '.env\n');
    const { cwd, plan } = await project.make({ kind });
    const marker = path.join(gitIn(cwd, 'rev-parse', '--absolute-git-dir').trim(), 'docket.json');
    fs.writeFileSync(marker, fs.readFileSync(marker, 'utf8').replace('"ready": true', '"ready": false'));
    fs.rmSync(path.join(cwd, '.env'));
    expect(await project.make({ kind })).toEqual({ cwd, plan });
    expect(fs.readFileSync(path.join(cwd, '.env'), 'utf8')).toBe('SECRET=1\n');
  });

  it('goes on with the work that the root has when its folder is gone', async () => {
    const project = new Workspaces();
    const { plan, cwd } = await project.make({ kind });
    put(cwd, 'b.txt', 'two');
    gitIn(cwd, 'add', '.');
    gitIn(cwd, 'commit', '--quiet', '-m', 'work');
    if (kind === 'clone') project.git('fetch', '--quiet', cwd, `${plan.branch}:${plan.branch}`);
    fs.rmSync(cwd, { recursive: true });
    if (kind === 'worktree') project.git('worktree', 'prune');
    const again = await project.make({ kind, before: plan });
    expect(again.plan).toEqual(plan);
    expect(fs.readFileSync(path.join(again.cwd, 'b.txt'), 'utf8')).toBe('two');
  });

  it('is made from a linked work tree, a folder below, with spaces and other letters', async () => {
    const project = new Workspaces({ 'a.txt': 'one\n', 'päck age/b.txt': 'two\n' });
    const linked = path.join(scratch(), 'ein Baum 木');
    project.git('worktree', 'add', '--quiet', '-b', 'there', linked);
    const { plan, cwd } = await project.make({ kind }, linked);
    expect([plan.base, branchIn(cwd)]).toEqual(['there', plan.branch]);
    const below = await project.make({ kind, id: 't2', slug: 'x' }, path.join(linked, 'päck age'));
    expect(below.cwd).toBe(path.join(below.plan.path, 'päck age'));
    expect(fs.readdirSync(below.cwd)).toEqual(['b.txt']);
  });

  it('begins at HEAD where that is on no branch', async () => {
    const project = new Workspaces();
    project.git('switch', '--quiet', '--detach');
    const { plan } = await project.make({ kind });
    expect(plan).not.toHaveProperty('base');
    expect(plan.baseCommit).toBe(project.commitOf('HEAD'));
  });
});

describe('a clone', () => {
  it('has no way to the root: no remote, no shared file, the base beside its branch', async () => {
    const project = new Workspaces();
    project.git('gc', '--quiet');
    project.git('branch', 'other');
    project.git('config', 'user.name', 'Ann');
    project.write('.git/info/exclude', 'scratch.txt\n');
    const { cwd } = await project.make();
    expect(gitIn(cwd, 'remote')).toBe('');
    expect(gitIn(cwd, 'for-each-ref', '--format=%(refname)').trim().split('\n')).toEqual([
      'refs/heads/main',
      'refs/heads/takt/20260201T015714-fix-login',
    ]);
    expect(fs.existsSync(path.join(cwd, '.git/objects/info/alternates'))).toBe(false);
    const links = fs
      .readdirSync(path.join(cwd, '.git/objects'), { recursive: true, encoding: 'utf8' })
      .map((name) => fs.statSync(path.join(cwd, '.git/objects', name)))
      .filter((stat) => stat.isFile() && stat.nlink > 1);
    expect(links).toEqual([]);
    expect(gitIn(cwd, 'config', '--local', 'user.name').trim()).toBe('Ann');
    put(cwd, 'scratch.txt', 'mine');
    expect(gitIn(cwd, 'status', '--porcelain')).toBe('');
  });

  it('is made of a shallow repository too', async () => {
    const project = new Workspaces();
    project.commit();
    const shallow = path.join(scratch(), 'shallow');
    project.git('clone', '--quiet', '--depth=1', `file://${project.root}`, shallow);
    const { cwd } = await project.make({}, shallow);
    expect(fs.readFileSync(path.join(cwd, 'a.txt'), 'utf8')).toBe('one\n');
  });

  it('does without git-lfs where that is configured and not installed', async () => {
    const project = new Workspaces({
      'a.txt': 'one\n',
      '.gitattributes': '*.bin filter=lfs\n',
      'x.bin': 'pointer\n',
    });
    const home = scratch();
    fs.writeFileSync(
      path.join(home, '.gitconfig'),
      '[filter "lfs"]\n\tprocess = git-lfs-not-there filter-process\n\trequired = true\n',
    );
    const before = process.env['HOME'];
    process.env['HOME'] = home;
    try {
      const { cwd } = await project.make();
      expect(fs.readFileSync(path.join(cwd, 'x.bin'), 'utf8')).toBe('pointer\n');
    } finally {
      process.env['HOME'] = before;
    }
  });

  it('has the submodules that the root has, from the root alone', async () => {
    const inner = new Workspaces({ 'inner.txt': 'in\n' });
    const project = new Workspaces();
    project.git('submodule', '--quiet', 'add', inner.root, 'lib/in ner');
    project.commit();
    fs.rmSync(inner.root, { recursive: true });
    const { cwd } = await project.make();
    const at = path.join(cwd, 'lib/in ner');
    expect(fs.readFileSync(path.join(at, 'inner.txt'), 'utf8')).toBe('in\n');
    expect(gitIn(at, 'remote')).toBe('');
    expect(gitIn(cwd, 'status', '--porcelain')).toBe('');
  });
});

describe('the branch of a workspace', () => {
  it('is another for each of many tasks with the same words in the same second', async () => {
    const project = new Workspaces();
    const ids = ['aaaaaaa1', 'aaaaaaa2', 'aaaaaaa3', 'aaaaaaa4'];
    const made = await Promise.all(ids.map((id) => project.make({ id })));
    const names = made.map(({ plan }) => plan.branch);
    expect(new Set(names).size).toBe(4);
    expect(names.toSorted()[0]).toBe('takt/20260201T015714-fix-login');
    expect(project.branches().toSorted()).toEqual(['main', ...names].toSorted());
    for (const { plan, cwd } of made) expect(branchIn(cwd)).toBe(plan.branch);
  });

  it('is chosen anew when docket died before it had one', async () => {
    const project = new Workspaces();
    project.git('branch', 'takt/theirs');
    const before = { branch: 'takt/theirs', baseCommit: project.commitOf('main') };
    const { plan } = await project.make({ before });
    expect([plan.branch, project.plans]).toEqual(['takt/20260201T015714-fix-login', [plan]]);
  });

  it('has the number of an issue, and plain letters whatever it is called', async () => {
    const project = new Workspaces();
    const { plan } = await project.make({ issue: 7, slug: '..//--Fix: ~the^ login!@{}.lock' });
    expect(plan.branch).toBe('takt/7/fix-the-login-lock');
    expect((await project.make({ id: 't2', slug: '木' })).plan.branch).toBe('takt/20260201T015714-task');
  });

  it('is the one that a person names, gone on with where it is there', async () => {
    const project = new Workspaces();
    project.git('branch', 'feature/x');
    project.commit();
    const { plan, cwd } = await project.make({ branch: 'feature/x' });
    expect([plan.branch, plan.baseCommit, branchIn(cwd)]).toEqual([
      'feature/x',
      project.commitOf('main~1'),
      'feature/x',
    ]);
    expect((await project.make({ id: 't2', branch: 'feature/y', base: 'feature/x' })).plan).toMatchObject({
      branch: 'feature/y',
      base: 'feature/x',
      baseCommit: project.commitOf('feature/x'),
    });
  });

  it('is never one that somebody has checked out, nor what git does not take', async () => {
    const project = new Workspaces();
    await expect(project.make({ branch: 'main' })).rejects.toMatchObject({ code: 'REFUSED' });
    for (const branch of ['-f', '--upload-pack=touch x', '@{-1}', 'a..b', 'a b', 'x.lock', ''])
      await expect(project.make({ branch })).rejects.toMatchObject({ code: 'INVALID' });
    await expect(project.make({ base: 'nope' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(project.make({ base: '--help' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    project.git('branch', 'takt');
    await expect(project.make()).rejects.toMatchObject({
      code: 'REFUSED',
      fix: expect.stringContaining('branchPrefix'),
    });
    expect(project.branches()).toEqual(['main', 'takt']);
  });
});
