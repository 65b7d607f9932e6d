import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { scratch } from '../../support/scratch.ts';
import { actions, shell, subtask, TaskProject } from '../../support/task-project.ts';

const says = (artifacts: object) => ({ status: 'success', summary: 'Made it.', artifacts });

/** Commits a new file in a work tree of its own, as a worker of the format may. */
const inWorktree = (folder: string, file: string) =>
  [
    `git worktree add -q -b feature-${file} ${folder}`,
    `cd ${folder} && mkdir -p src && echo new > src/${file}.txt && git add -A`,
    'git -c user.name=w -c user.email=w@x commit -qm made',
  ].join('\n');

it('looks into the work trees that two workers of the same repository report', async () => {
  const worker = (file: string, reported: object) =>
    shell(inWorktree(`../wt-${file}`, file), says({ touchedFiles: [`src/${file}.txt`], ...reported }));
  const project = await TaskProject.created({
    first: worker('one', { worktreePath: '../wt-one', branch: 'feature-one' }),
    second: worker('two', { branch: 'feature-two' }),
  });
  const { task } = await project.run(
    actions(subtask('a', '', { adapter: 'first' }), subtask('b', '', { adapter: 'second', needs: ['a'] })),
  );
  expect(task.status).toBe('done');
});

it.each([
  ['a file that its work tree does not have', '../wt-one', 'src/other.txt', 'src/other.txt'],
  ['a folder elsewhere', '/etc', 'passwd', 'it is no work tree of this repository'],
  ['a folder that is not there', 'nowhere', 'x.txt', 'there is no such folder'],
])('does not believe %s', async (_, worktreePath, file, reason) => {
  const report = says({ worktreePath, touchedFiles: [file] });
  const made = shell(`[ -d ../wt-one ] || { ${inWorktree('../wt-one', 'one')}; }`, report);
  const project = await TaskProject.created({ made });
  const { task } = await project.run(actions(subtask('a', '', { adapter: 'made' }), subtask('b')));
  expect(task).toMatchObject({ status: 'blocked', reason: { text: expect.stringContaining(reason) } });
});

it('runs no git in a folder of the project that is no work tree of it, and follows no link out of it', async () => {
  const outside = path.join(scratch(), 'secret.txt');
  fs.writeFileSync(outside, 'secret');
  const script = [
    'mkdir -p clone && git init -q clone && cd clone && echo x > there.txt',
    `git config core.fsmonitor 'touch ${path.join(path.dirname(outside), 'ran')}'`,
    `ln -sf ${outside} link.txt`,
  ].join('\n');
  const report = says({ worktreePath: 'clone', touchedFiles: ['there.txt', 'link.txt'] });
  const project = await TaskProject.created({ made: shell(script, report) });
  const { task } = await project.run(actions(subtask('a', '', { adapter: 'made' }), subtask('b')));
  expect(task).toMatchObject({ status: 'blocked', reason: { text: expect.stringContaining('link.txt') } });
  expect(JSON.stringify(task)).not.toContain('there.txt: it does not exist');
  expect(fs.existsSync(path.join(path.dirname(outside), 'ran'))).toBe(false);
});
