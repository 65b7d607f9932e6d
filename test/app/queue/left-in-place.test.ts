import { execSync } from 'node:child_process';
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
  expect(told).toContain('docket diff a | git apply -R\n');
  execSync('git apply -R', { cwd: project.root, input: out });
  expect(project.git('status', '--short')).toBe('');
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
