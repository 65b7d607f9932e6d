import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch } from '../support/scratch.ts';
import { gitIn, Workspaces } from '../support/workspaces.ts';

describe('the place of a workspace', () => {
  it('is where the task or the settings say', async () => {
    const project = new Workspaces();
    const { plan } = await project.make({ path: '../ne ben/t' });
    expect(plan.path).toBe(path.join(path.dirname(project.root), 'ne ben/t'));
    const other = await project.make({ id: 't2', slug: 'b', folder: '../all' });
    expect(other.cwd).toBe(path.join(path.dirname(project.root), 'all/t2'));
  });

  it('is nobody else’s', async () => {
    const project = new Workspaces();
    await project.make({ id: 't9', path: '../theirs', slug: 'b' });
    fs.symlinkSync(project.place('.git'), project.place('link'));
    const wrong = [
      '.',
      '..',
      '/',
      '.git',
      '.git/x',
      'link/x',
      'a.txt',
      'a.txt/x',
      '../theirs',
      '.docket',
      'x\0y',
    ];
    for (const place of wrong)
      await expect(project.make({ path: place })).rejects.toMatchObject({
        code: expect.stringMatching(/REFUSED|BAD_FILE|NO_ACCESS/),
      });
    expect(project.branches()).toEqual(['main', 'takt/20260201T015714-b']);
  });

  it('needs a repository with a commit', async () => {
    const project = new Workspaces();
    const empty = scratch();
    await expect(project.make({}, empty)).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('no git work tree'),
    });
    gitIn(empty, 'init', '--quiet');
    await expect(project.make({}, empty)).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('no commit yet'),
    });
  });

  it('is found again when all of it was moved, and not taken for that of a copy', async () => {
    const project = new Workspaces();
    const { cwd } = await project.make();
    const moved = path.join(scratch(), 'moved');
    fs.cpSync(project.root, moved, { recursive: true });
    const place = path.join(moved, path.relative(project.root, cwd));
    const there = await project.make({ path: place }, moved);
    expect(there.cwd).toBe(place);
    await expect(project.make({ path: place })).rejects.toMatchObject({ code: 'REFUSED' });
  });
});
