import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { branchInHead, headInFiles, refInFiles } from '../../src/workspace/ref-files.ts';
import { Workspaces } from '../support/workspaces.ts';

it('tells what a ref stands at as git does, or nothing', () => {
  const project = new Workspaces();
  const common = project.place('.git');
  const first = project.commitOf('main');
  project.git('branch', 'a/b.c');
  project.git('tag', '-a', '-m', 'x', 'v1');
  project.git('pack-refs', '--all');
  project.commit();
  expect(branchInHead(common)).toBe('main');
  expect(refInFiles(common, 'refs/heads/main')).toBe(project.commitOf('main'));
  expect(refInFiles(common, 'refs/heads/a/b.c')).toBe(first);
  for (const name of [
    'a',
    'a/b',
    'b.c',
    'main/x',
    'main/x/y',
    'nope',
    '../../HEAD',
    '../heads/main',
    'a//b.c',
    '.',
    '',
  ])
    expect(refInFiles(common, `refs/heads/${name}`)).toBeUndefined();
  fs.writeFileSync(path.join(common, 'refs/heads/odd'), 'ref: refs/heads/main\n');
  expect(refInFiles(common, 'refs/heads/odd')).toBeUndefined();
  expect(headInFiles(common)).toBe(project.commitOf('main'));
  // Git follows a link: what the list says does not count then.
  fs.renameSync(path.join(common, 'refs/heads/main'), path.join(common, 'there'));
  fs.symlinkSync('../../there', path.join(common, 'refs/heads/main'));
  expect([refInFiles(common, 'refs/heads/main'), headInFiles(common)]).toEqual([undefined, undefined]);
  fs.renameSync(path.join(common, 'there'), path.join(common, 'refs/heads/main'));
  fs.writeFileSync(path.join(common, 'commondir'), '.\n');
  expect(headInFiles(common)).toBeUndefined();
  fs.rmSync(path.join(common, 'commondir'));
  project.git('switch', '--quiet', '--detach');
  expect(branchInHead(common)).toBeUndefined();
});
