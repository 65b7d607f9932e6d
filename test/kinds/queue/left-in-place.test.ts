import { execFileSync, execSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ended } from '../../support/child.ts';
import { ShellProject } from '../../support/shell-project.ts';

const breaks = 'echo broken >> a.txt; echo new > new.txt; exit 3';

/** The talk of `docket cancel`. */
async function canceled(project: ShellProject, name: string): Promise<string> {
  const child = project.start('cancel', name);
  let told = '';
  child.stderr?.on('data', (text) => (told += String(text)));
  await ended(child);
  return told;
}

it('cancel names what a task left in the tree, with the lines that show and undo it', async () => {
  const project = new ShellProject(breaks);
  project.queue(['a'], false);
  await project.docket('run');
  const told = await canceled(project, 'a');
  expect(told).toContain('what it changed stays: a.txt, new.txt\n  see it: docket diff a\n');
  const { out } = await project.docket('diff', 'a');
  expect(told).toContain(`undo it: docket diff a | git -C ${project.root} apply -R\n`);
  execSync('git apply -R', { cwd: project.root, input: out });
  expect(project.git('status', '--short')).toBe('');
});

it('undoes also what is no text, from a folder below, whatever somebody set for their own diffs', async () => {
  const project = new ShellProject(`printf '\\000\\001' > bin.dat; echo more >> sub/b.txt; ${breaks}`);
  fs.mkdirSync(path.join(project.root, 'sub'));
  project.write('sub/b.txt', 'b\n');
  project.git('add', '-A');
  project.git('commit', '-m', 'sub');
  project.git('config', 'diff.noprefix', 'true');
  project.queue(['a'], false);
  await project.docket('run');
  const told = await canceled(project, 'a');
  const [, repository = ''] = /\| git -C (\S+) apply -R\n/.exec(told) ?? [];
  const { out } = await project.docket('diff', 'a');
  execFileSync('git', ['-C', repository, 'apply', '-R'], { cwd: path.join(project.root, 'sub'), input: out });
  expect(project.git('status', '--short')).toBe('');
});

it('says that nobody can tell, of one that was canceled while it ran', async () => {
  const project = new ShellProject('echo part > part.txt; say there; await never');
  project.queue(['a'], false);
  const run = project.start('run');
  await project.said('there');
  const told = await canceled(project, 'a');
  await ended(run);
  expect(told).toContain('what it changed stays: part.txt\n');
  expect(told).toContain(
    'nobody can tell whether others have changed these files since; if nobody has, undo it: ',
  );
});

it('does not say how to undo it where it would take more than that', async () => {
  const project = new ShellProject(breaks);
  project.queue(['a'], false);
  project.write('a.txt', 'mine\n');
  await project.docket('run');
  const told = await canceled(project, 'a');
  expect(told).toContain('what it changed stays: a.txt, new.txt\n');
  expect(told).toContain('undo by hand');
});

it('says nothing of one that has a workspace of its own, or has not run', async () => {
  const project = new ShellProject(breaks);
  project.queue(['a', 'b'], true);
  await project.docket('run', 'a');
  expect([await canceled(project, 'a'), await canceled(project, 'b')]).toEqual(['', '']);
});
