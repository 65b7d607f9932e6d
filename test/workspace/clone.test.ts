import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { copyPacks } from '../../src/io/git-objects.ts';
import { scratch } from '../support/scratch.ts';
import { gitIn, put, Workspaces } from '../support/workspaces.ts';

const packsOf = (folder: string) =>
  fs.readdirSync(path.join(folder, '.git/objects/pack')).filter((name) => name.endsWith('.pack'));
const isWhole = (folder: string) =>
  gitIn(folder, 'fsck', '--full', '--strict', '--no-dangling').trim() === '';

describe('the objects of a clone', () => {
  it('are the packs of the root as they are, and one more for what is in none', async () => {
    const project = new Workspaces();
    project.git('gc', '--quiet');
    const [packed] = packsOf(project.root);
    project.commit();
    const { cwd, state } = await project.make();
    expect(packsOf(cwd)).toContain(packed);
    expect(packsOf(cwd)).toHaveLength(2);
    expect(fs.readdirSync(path.join(cwd, '.git/objects')).toSorted()).toEqual(['info', 'pack']);
    expect([gitIn(cwd, 'rev-list', '--count', 'HEAD').trim(), isWhole(cwd)]).toEqual(['2', true]);
    expect(state).toEqual({
      branch: 'takt/20260201T015714-fix-login',
      head: project.commitOf('main'),
      dirty: new Map(),
    });
  });

  it('are all there where the root borrows them from another repository', async () => {
    const project = new Workspaces();
    const borrower = path.join(scratch(), 'borrower');
    project.git('clone', '--quiet', '--shared', project.root, borrower);
    const { cwd, state } = await project.make({}, borrower);
    fs.rmSync(project.place('.git/objects'), { recursive: true });
    expect([isWhole(cwd), state]).toEqual([true, undefined]);
  });

  it('are there in a repository with the other kind of hash', async () => {
    const project = new Workspaces();
    const other = path.join(scratch(), 'other');
    execFileSync('git', ['init', '--quiet', '--object-format=sha256', other]);
    put(other, 'a.txt', 'one\n');
    gitIn(other, 'add', '.');
    gitIn(other, 'commit', '--quiet', '-m', 'start');
    const { cwd } = await project.make({}, other);
    expect(gitIn(cwd, 'rev-parse', 'HEAD').trim()).toHaveLength(64);
    expect(isWhole(cwd)).toBe(true);
  });

  it('are not copied so where a pack is gone and nothing came in its place, or a part is on a server', async () => {
    const project = new Workspaces();
    project.git('gc', '--quiet');
    const objects = project.place('.git/objects');
    const pack = path.join(objects, 'pack', packsOf(project.root)[0] ?? '');
    const to = scratch();
    fs.writeFileSync(pack.replace('.pack', '.promisor'), '');
    expect(await copyPacks(objects, to)).toBeUndefined();
    fs.rmSync(pack.replace('.pack', '.promisor'));
    fs.rmSync(pack);
    expect(await copyPacks(objects, to)).toBeUndefined();
  });
});

describe('a clone', () => {
  it('has the settings of the root, whatever stands in them', async () => {
    const project = new Workspaces();
    const name = 'Ann "the\\n" Ösch; # [core]\n\thooksPath = /x';
    project.git('config', 'user.name', name);
    const first = await project.make();
    expect(gitIn(first.cwd, 'config', '--local', '-z', 'user.name')).toBe(`${name}\0`);
    expect(gitIn(first.cwd, 'config', '--local', 'core.bare').trim()).toBe('false');
    project.git('config', 'user.name', 'Bob');
    const second = await project.make({ id: 't2', slug: 'b' });
    expect(gitIn(second.cwd, 'config', '--local', 'user.name').trim()).toBe('Bob');
  });

  it('goes on with a branch that has moved, beside a base that stands elsewhere', async () => {
    const project = new Workspaces();
    project.git('branch', 'feature/x');
    project.commit();
    project.git('pack-refs', '--all');
    const { cwd, plan } = await project.make({ branch: 'feature/x', base: 'main' });
    expect(gitIn(cwd, 'rev-parse', 'HEAD', 'main').trim().split('\n')).toEqual([
      project.commitOf('main~1'),
      project.commitOf('main'),
    ]);
    expect(plan.base).toBe('main');
  });
});
