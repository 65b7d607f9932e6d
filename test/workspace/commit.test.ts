import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { commitWork } from '../../src/workspace/commit.ts';
import { bringHome, homeCalls, offerBase } from '../../src/workspace/integrate.ts';
import type { Plan } from '../../src/workspace/marker.ts';
import { gitIn, nestedWithFilter, put, Workspaces } from '../support/workspaces.ts';

const message = '# docket: fix\n\n-m evil\n';
const names = (folder: string, commit: string) =>
  gitIn(folder, 'show', '--format=', '--name-only', commit).trim().split('\n');

async function worked(kind: Plan['kind'] = 'clone') {
  const project = new Workspaces();
  const { plan, cwd } = await project.make({ kind });
  const commit = () => commitWork({ cwd, branch: plan.branch, message });
  return { project, plan, cwd, commit };
}

function edit(cwd: string, change: (text: string) => string): void {
  const file = path.join(cwd, '.git/config');
  const text = fs.readFileSync(file, 'utf8');
  expect(change(text)).not.toBe(text);
  fs.writeFileSync(file, change(text));
}

describe('committing work', () => {
  it('takes new, changed and deleted files, and not what git ignores', async () => {
    const { cwd, commit, plan } = await worked();
    put(cwd, 'dir/new ö.txt', 'new');
    put(cwd, '.env', 'SECRET');
    fs.rmSync(path.join(cwd, 'a.txt'));
    const { commit: made } = await commit();
    expect(gitIn(cwd, '-c', 'core.quotePath=false', 'show', '--format=%B', '--name-only', made).trim()).toBe(
      '# docket: fix\n\n-m evil\n\n\na.txt\ndir/new ö.txt',
    );
    expect(gitIn(cwd, 'rev-parse', plan.branch).trim()).toBe(made);
    expect(await commit()).toEqual({ commit: made, nothing: true });
  });

  it('runs nothing of what an agent left: hooks, filters, signers', async () => {
    const { cwd, commit } = await worked();
    const proof = path.join(cwd, '../proof');
    for (const hook of ['pre-commit', 'prepare-commit-msg', 'post-commit', 'reference-transaction']) {
      put(cwd, `.git/hooks/${hook}`, `#!/bin/sh\necho ${hook} >> ${proof}\n`);
      fs.chmodSync(path.join(cwd, '.git/hooks', hook), 0o755);
    }
    gitIn(cwd, 'config', 'filter.x=y.clean', `touch ${proof}; cat`);
    gitIn(cwd, 'config', 'filter.x=y.required', 'true');
    gitIn(cwd, 'config', 'commit.gpgSign', 'true');
    gitIn(cwd, 'config', 'gpg.program', `touch ${proof}; false`);
    put(cwd, '.gitattributes', '* filter=x=y\n');
    put(cwd, 'b.txt', 'two');
    const { commit: made } = await commit();
    expect(names(cwd, made)).toEqual(['.gitattributes', 'b.txt']);
    expect(fs.existsSync(proof)).toBe(false);
  });

  it.each<[string, string, (cwd: string, evil: string) => void]>([
    [
      'behind the filters that docket emptied',
      'lfs',
      (cwd, evil) => edit(cwd, (text) => `${text}[filter "lfs"]\n\tprocess = ""\n\tprocess = "${evil}"\n`),
    ],
    [
      'in another file',
      'x',
      (cwd, evil) => {
        fs.writeFileSync(path.join(cwd, '../evil'), `[FILTER "x"]\n\tclean = "${evil}"\n`);
        edit(cwd, (text) => `${text}[Include]\n\tpath = ../../evil\n`);
      },
    ],
    [
      'in another repository, of which this is said to be a part',
      'x',
      (cwd, evil) => {
        const other = path.join(cwd, '../other');
        fs.cpSync(path.join(cwd, '.git'), other, { recursive: true });
        fs.appendFileSync(path.join(other, 'config'), `[filter "x"]\n\tclean = "${evil}"\n`);
        fs.writeFileSync(path.join(cwd, '.git/commondir'), `${other}\n`);
      },
    ],
  ])('runs no filter that an agent wrote down %s', async (_, filter, plant) => {
    const { cwd, commit } = await worked();
    const proof = path.join(cwd, '../proof');
    plant(cwd, `touch ${proof}; cat`);
    put(cwd, '.gitattributes', `* filter=${filter}\n`);
    put(cwd, 'b.txt', 'two');
    await commit();
    expect(fs.existsSync(proof)).toBe(false);
    put(cwd, 'c.txt', 'three');
    gitIn(cwd, 'add', 'c.txt');
    expect(fs.existsSync(proof)).toBe(true); // a trap it was
  });

  it('fetches nothing by the settings of a repository of which it is said to be a part', async () => {
    const { cwd, commit } = await worked();
    const [proof, other] = [path.join(cwd, '../proof'), path.join(cwd, '../other')];
    fs.cpSync(path.join(cwd, '.git'), other, { recursive: true });
    fs.rmSync(path.join(other, 'objects'), { recursive: true });
    fs.mkdirSync(path.join(other, 'objects'));
    const setting = (name: string, value: string) => gitIn(other, 'config', '--file', 'config', name, value);
    setting('core.repositoryFormatVersion', '1');
    setting('extensions.partialClone', 'x');
    setting('remote.x.promisor', 'true');
    setting('remote.x.url', cwd);
    setting('remote.x.uploadpack', `touch ${proof}; false`);
    fs.writeFileSync(path.join(cwd, '.git/commondir'), `${other}\n`);
    put(cwd, 'b.txt', 'two');
    const { commit: made } = await commit();
    expect(fs.existsSync(proof)).toBe(false);
    expect(() => gitIn(cwd, 'status')).toThrow('status');
    expect(fs.existsSync(proof)).toBe(true);
    fs.rmSync(path.join(cwd, '.git/commondir'));
    expect(names(cwd, made)).toEqual(['b.txt']);
  });

  it('does so only on the task’s branch', async () => {
    const { cwd, commit } = await worked();
    put(cwd, 'b.txt', 'two');
    gitIn(cwd, 'switch', '--quiet', 'main');
    await expect(commit()).rejects.toMatchObject({ code: 'REFUSED', data: { is: 'main' } });
    gitIn(cwd, 'switch', '--quiet', '--detach');
    await expect(commit()).rejects.toMatchObject({ code: 'REFUSED', data: { is: '' } });
    expect(gitIn(cwd, 'status', '--porcelain')).toBe('?? b.txt\n');
  });

  it('never commits the marks of a conflict', async () => {
    const { cwd, commit, plan } = await worked();
    for (const branch of ['main', plan.branch]) {
      gitIn(cwd, 'switch', '--quiet', branch);
      put(cwd, 'a.txt', branch);
      gitIn(cwd, 'commit', '--quiet', '-am', branch);
    }
    expect(() => gitIn(cwd, 'merge', '--quiet', 'main')).toThrow('merge');
    await expect(commit()).rejects.toMatchObject({ code: 'REFUSED', data: { files: ['a.txt'] } });
  });

  it('leaves out a repository that an agent put there, and says so', async () => {
    const { cwd, commit } = await worked();
    gitIn(cwd, 'init', '--quiet', 'their[s]');
    put(cwd, 'their[s]/x', 'x');
    put(cwd, 'b.txt', 'two');
    const { commit: made, left } = await commit();
    expect([left, names(cwd, made)]).toEqual([['their[s]/'], ['b.txt']]);
  });

  it('neither runs what such a repository says nor takes it for work, where an agent added it', async () => {
    const { cwd, commit } = await worked();
    const proof = path.join(cwd, '../proof');
    put(cwd, '.gitmodules', '[submodule "sub"]\n\tpath = sub\n\turl = ./x\n\tignore = none\n');
    nestedWithFilter(path.join(cwd, 'sub'), proof);
    gitIn(cwd, 'add', 'sub');
    put(cwd, 'sub/f', 'two');
    const { commit: made, left } = await commit();
    expect([left, names(cwd, made)]).toEqual([['sub/'], ['.gitmodules', 'sub']]);
    // Only its line ends are others: git has nothing to commit, and would look around to say so.
    put(cwd, 'sub/f', 'six');
    put(cwd, '.gitattributes', '*.txt text\n');
    gitIn(cwd, 'add', '.gitattributes');
    gitIn(cwd, 'commit', '--quiet', '-m', 'theirs');
    put(cwd, 'a.txt', 'one\r\n');
    expect(await commit()).toMatchObject({ left: ['sub/'], nothing: true });
    expect(fs.existsSync(proof)).toBe(false);
  });

  it('goes on where an agent’s git was killed in the middle', async () => {
    const { cwd, commit } = await worked();
    put(cwd, 'b.txt', 'two');
    put(cwd, '.git/index.lock', '');
    expect(names(cwd, (await commit()).commit)).toEqual(['b.txt']);
  });

  it('has an author also where git knows nobody', async () => {
    const { cwd, commit } = await worked();
    gitIn(cwd, 'config', 'user.useConfigOnly', 'true');
    put(cwd, 'b.txt', 'two');
    const before = { ...process.env };
    Object.assign(process.env, { HOME: cwd, XDG_CONFIG_HOME: cwd });
    try {
      const { commit: made } = await commit();
      expect(gitIn(cwd, 'log', '-1', '--format=%an <%ae>', made).trim()).toBe('docket <docket@localhost>');
    } finally {
      process.env['HOME'] = before['HOME'];
      delete process.env['XDG_CONFIG_HOME'];
    }
  });
});

describe('work comes home', () => {
  it.each(['clone', 'worktree'] as const)('as the branch of the root (%s)', async (kind) => {
    const { project, plan, cwd, commit } = await worked(kind);
    put(cwd, 'b.txt', 'two');
    const { commit: made } = await commit();
    expect(await bringHome(project.root, 't1', plan)).toBe(made);
    expect([project.commitOf(plan.branch), project.commitOf('refs/docket/tasks/t1')]).toEqual([made, made]);
    expect(await bringHome(project.root, 't1', plan)).toBe(made);
    expect(project.git('status', '--porcelain')).toBe('');
  });

  it('never over somebody’s commits, nor where it is checked out, and is safe all the same', async () => {
    const { project, plan, cwd, commit } = await worked();
    put(cwd, 'b.txt', 'two');
    const { commit: made } = await commit();
    project.git('switch', '--quiet', plan.branch);
    await expect(bringHome(project.root, 't1', plan)).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('checked out'),
    });
    expect(project.commitOf('refs/docket/tasks/t1')).toBe(made);
    project.write('theirs.txt', 'x');
    project.commit();
    const theirs = project.commitOf(plan.branch);
    project.git('switch', '--quiet', 'main');
    await expect(bringHome(project.root, 't1', plan)).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('has commits there'),
    });
    expect([project.commitOf(plan.branch), project.commitOf('refs/docket/tasks/t1')]).toEqual([theirs, made]);
  });

  it('together with its commit where it can, and says so; else it is only committed', async () => {
    const { project, plan, cwd } = await worked();
    gitIn(cwd, 'config', 'user.name', 'Ann'); // where git knows nobody, each call goes by itself
    gitIn(cwd, 'config', 'user.email', 'ann@localhost');
    const commit = () =>
      commitWork({ cwd, branch: plan.branch, message, next: homeCalls(project.root, 't1', plan) });
    put(cwd, 'b.txt', 'two');
    const first = await commit();
    expect([first.followed, project.commitOf(plan.branch), project.commitOf('refs/docket/tasks/t1')]).toEqual(
      [true, first.commit, first.commit],
    );
    expect(await bringHome(project.root, 't1', plan, first.commit)).toBe(first.commit);
    project.git('switch', '--quiet', plan.branch);
    put(cwd, 'c.txt', 'three');
    const second = await commit();
    expect(second).toEqual({ commit: gitIn(cwd, 'rev-parse', 'HEAD').trim() });
    expect(project.commitOf(plan.branch)).toBe(first.commit);
    await expect(bringHome(project.root, 't1', plan, second.commit)).rejects.toMatchObject({
      code: 'REFUSED',
    });
    expect(project.commitOf('refs/docket/tasks/t1')).toBe(second.commit);
    project.git('switch', '--quiet', 'main');
    expect(await bringHome(project.root, 't1', plan, second.commit)).toBe(second.commit);
    expect(project.commitOf(plan.branch)).toBe(second.commit);
  });

  it('and the root’s goes there without running what the clone’s settings say', async () => {
    const { project, plan, cwd } = await worked();
    const proof = path.join(cwd, '../proof');
    gitIn(cwd, 'config', 'protocol.ext.allow', 'always');
    gitIn(cwd, 'config', `url.ext::touch ${proof} .insteadOf`, project.root);
    project.write('c.txt', 'c');
    project.commit();
    expect(await offerBase(project.root, plan, 'main')).toBe('main');
    expect(gitIn(cwd, 'show', 'main:c.txt')).toBe('c');
    expect(gitIn(cwd, 'fsck', '--no-dangling')).toBe('');
    // An agent has a commit of its own on it.
    gitIn(cwd, 'branch', '--force', 'main', gitIn(cwd, 'commit-tree', '-m', 'x', 'HEAD^{tree}').trim());
    expect(await offerBase(project.root, plan, 'main')).toBe('refs/docket/base/main');
    expect(gitIn(cwd, 'show', 'refs/docket/base/main:c.txt')).toBe('c');
    expect(fs.existsSync(proof)).toBe(false);
  });

  it('with what was done in a submodule', async () => {
    const inner = new Workspaces({ 'inner.txt': 'in\n' });
    const project = new Workspaces();
    project.git('submodule', '--quiet', 'add', inner.root, 'lib');
    project.commit();
    const { plan, cwd } = await project.make();
    put(cwd, 'lib/inner.txt', 'changed\n');
    const { commit } = await commitWork({ cwd, branch: plan.branch, message });
    expect(names(cwd, commit)).toEqual(['lib']);
    await bringHome(project.root, 't1', plan);
    const link = project.git('rev-parse', `${plan.branch}:lib`).trim();
    expect(gitIn(project.place('lib'), 'show', `${link}:inner.txt`)).toBe('changed\n');
  });

  it('from a shallow repository', async () => {
    const full = new Workspaces();
    full.commit();
    const shallow = path.join(full.dir, 'shallow');
    full.git('clone', '--quiet', '--depth=1', `file://${full.root}`, shallow);
    const { plan, cwd } = await full.make({}, shallow);
    put(cwd, 'b.txt', 'two');
    const { commit } = await commitWork({ cwd, branch: plan.branch, message });
    expect(await bringHome(shallow, 't1', plan)).toBe(commit);
  });
});
