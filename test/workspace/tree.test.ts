import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { workTreeDiff } from '../../src/workspace/integrate-diff.ts';
import { assertLandable } from '../../src/workspace/merge.ts';
import { changeSince, treeState, type TreeState } from '../../src/workspace/tree.ts';
import { Project } from '../support/project.ts';
import { scratch } from '../support/scratch.ts';
import { nestedWithFilter } from '../support/workspaces.ts';

async function observed(project: Project): Promise<TreeState> {
  const state = await treeState(project.root);
  if (!state) throw new Error('not a work tree');
  return state;
}

describe('what happened to a work tree', () => {
  it('is nothing when nobody touched it, however dirty it was', async () => {
    const project = new Project({});
    project.write('dirty.txt', 'mine');
    project.write('a.txt', 'mine too');
    const before = await observed(project);
    expect(await changeSince(project.root, before)).toEqual({ paths: [], committed: false });
  });

  it('counts new, changed, deleted, renamed and committed files, also in what was dirty before', async () => {
    const project = new Project({});
    for (const name of ['gone', 'moved', 'kept']) project.write(name, `${name}\n`);
    project.git('add', '.');
    project.git('commit', '--quiet', '-m', 'more');
    project.write('dirty.txt', 'before');
    const before = await observed(project);
    project.write('dirty.txt', 'after, and longer');
    project.write('naïve file\n.txt', 'new');
    fs.rmSync(path.join(project.root, 'gone'));
    fs.renameSync(path.join(project.root, 'moved'), path.join(project.root, 'moved-2'));
    fs.symlinkSync('/etc/hostname', path.join(project.root, 'link'));
    project.write('a.txt', 'committed');
    project.git('commit', '--quiet', '-m', 'by the agent', 'a.txt');
    expect(await changeSince(project.root, before)).toEqual({
      paths: ['a.txt', 'dirty.txt', 'gone', 'link', 'moved', 'moved-2', 'naïve file\n.txt'],
      committed: true,
    });
  });

  it('sees that the branch was switched', async () => {
    const project = new Project({});
    const before = await observed(project);
    project.git('switch', '--quiet', '--create', 'elsewhere');
    expect(await changeSince(project.root, before)).toMatchObject({
      switched: { from: 'main', to: 'elsewhere' },
    });
    project.git('switch', '--quiet', '--detach');
    expect(await changeSince(project.root, before)).toMatchObject({
      switched: { from: 'main', to: 'detached' },
    });
  });

  it('is seen in a clone without running what an agent wrote into its settings', async () => {
    const project = new Project({});
    const proof = path.join(scratch(), 'proof');
    project.git('config', 'filter.x.clean', `touch '${proof}'; cat`);
    project.write('.gitattributes', '* filter=x\n');
    const file = path.join(project.root, 'a.txt');
    // Of the same size, and later: git has to read it.
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replaceAll(/\w/g, 'x'));
    fs.utimesSync(file, new Date(), new Date(Date.now() + 5000));
    expect((await treeState(project.root, true))?.dirty.has('a.txt')).toBe(true);
    expect(fs.existsSync(proof)).toBe(false);
    await treeState(project.root);
    expect(fs.existsSync(proof)).toBe(true);
  });

  it('is seen without running what a repository in it says, and a submodule is seen all the same', async () => {
    const library = new Project({});
    const project = new Project({});
    project.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.root, 'lib');
    project.git('commit', '--quiet', '-m', 'with a library');
    const before = await observed(project);
    project.write('lib/a.txt', 'changed');
    const changed = await observed(project);
    project.write('lib/a.txt', 'changed again');
    const paths = async (since: TreeState) => (await changeSince(project.root, since)).paths;
    expect([await paths(before), await paths(changed)]).toEqual([['lib'], ['lib']]);
    const proof = path.join(scratch(), 'proof');
    fs.rmSync(path.join(project.root, 'lib/.git'));
    nestedWithFilter(path.join(project.root, 'lib'), proof);
    nestedWithFilter(path.join(project.root, 'theirs'), proof);
    project.git('add', 'theirs');
    fs.rmSync(proof, { force: true });
    project.write('theirs/f', 'two');
    project.write('lib/f', 'two');
    expect(await paths(changed)).toEqual(['lib', 'theirs']);
    await workTreeDiff(project.root, 'HEAD', 'names');
    const [from, to] = ['HEAD', 'HEAD~1'].map((name) => project.git('rev-parse', name).trim());
    const move = { branch: 'main', from: from ?? '', to: to ?? '' };
    await expect(assertLandable(project.root, move)).rejects.toThrow('not committed: lib');
    expect(fs.existsSync(proof)).toBe(false);
    project.git('status');
    expect(fs.existsSync(proof)).toBe(true);
  });

  it('cannot be told without git', async () => {
    expect(await treeState(scratch())).toBeUndefined();
  });
});
