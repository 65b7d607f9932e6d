import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Task } from '../../src/task/schema.ts';
import { ObedientProject } from '../support/obedient.ts';
import { noSandbox } from '../support/sandbox.ts';

const boxed = { sandbox: 'bubblewrap', permission: 'edit' };

/** Which of its orders it could not carry out. */
const refused = (project: ObedientProject, task: Task): string[] =>
  project
    .obeyed(task)
    .filter(({ ok }) => !ok)
    .map(({ order }) => order);

describe.skipIf(noSandbox)('an agent in the ordinary sandbox', { timeout: 60_000 }, () => {
  it('in place: reads, and cannot write what docket and git go by', async () => {
    const project = new ObedientProject({}, boxed);
    const files = [
      '.takt/workflows/mine.yaml',
      '.agentmesh/notes/n.md',
      '.tmp/task/p/notes.md',
      'state/tasks.jsonl',
    ];
    for (const file of files) {
      fs.mkdirSync(path.join(project.root, path.dirname(file)), { recursive: true });
      project.write(file, '');
    }
    const deeds = [
      'APPEND: .docket/config.yaml: # evil',
      'APPEND: .docket/queue/journal.jsonl: evil',
      'APPEND: .takt/tasks.yaml: # evil',
      'RUN: mv .takt .takt2',
      'RUN: mv .docket .docket2',
      'APPEND: .agentmesh/notes/n.md: # evil',
      'APPEND: .tmp/task/p/notes.md: # evil',
      'APPEND: state/tasks.jsonl: evil',
      'RUN: git config core.pager evil',
      'APPEND: .git/hooks/post-commit: evil',
      'APPEND: .git/info/exclude: evil',
      'RUN: git branch evil',
      'RUN: git update-index --skip-worktree a.txt',
    ];
    const allowed = [
      'RUN: test -r .docket/queue/journal.jsonl',
      'RUN: git status && git diff',
      'WRITE: .takt/workflows/mine.yaml: name: other',
      'WRITE: .tmp/scratch: x',
      'WRITE: b.txt: b',
    ];
    await project.add({ text: [...deeds, ...allowed].join('\n') });
    const task = await project.ran();
    expect(task.status).toBe('done');
    expect(refused(project, task)).toEqual(deeds);
  });

  it.each(['high', 'low'] as const)(
    'in place: makes none of the folders that docket reads orders from (trust: %s)',
    async (level) => {
      const project = new ObedientProject({}, boxed);
      const deeds = ['.agentmesh/tasks/t', '.tmp/task/p', '.tmp/archive/p'].map(
        (folder) => `RUN: mkdir -p ${folder}`,
      );
      const { id } = await project.add({ text: [...deeds, 'RUN: mkdir -p .tmp/scratch'].join('\n') });
      await project.trust(id, level);
      const task = await project.ran();
      expect(task.status).toBe('done');
      expect(refused(project, task)).toEqual(deeds);
      expect(fs.readdirSync(path.join(project.root, '.tmp/task'))).toEqual([]);
      expect(fs.existsSync(path.join(project.root, '.tmp/scratch'))).toBe(true);
    },
  );

  it('in place: cannot write the account book where that lies in the project', async () => {
    const project = new ObedientProject({}, boxed);
    project.env['DOCKET_STATE'] = path.join(project.root, 'home/docket');
    const deeds = ['APPEND: home/docket/meter/book.jsonl: evil', 'RUN: mv home home2'];
    await project.add({ text: [...deeds, 'WRITE: home/mine.txt: mine'].join('\n') });
    const task = await project.ran();
    expect(task.status).toBe('done');
    expect(refused(project, task)).toEqual(deeds);
  });

  it('in place: starts where a folder of docket is a link to nowhere', async () => {
    const project = new ObedientProject({}, boxed);
    fs.symlinkSync('nowhere', path.join(project.root, '.agentmesh'));
    fs.symlinkSync('nowhere', path.join(project.root, '.tmp'));
    await project.add({ text: 'WRITE: b.txt: b' });
    expect((await project.ran()).status).toBe('done');
  });

  it('in a clone: commits, and cannot write git’s settings, hooks and rules, nor docket’s folder', async () => {
    const project = new ObedientProject({}, boxed);
    project.git('add', '-f', '.docket/config.yaml');
    project.git('commit', '--quiet', '-m', 'settings');
    const deeds = [
      `RUN: git config core.worktree ${project.home}`,
      'APPEND: .git/config: [core] worktree = /',
      'APPEND: .git/hooks/post-commit: evil',
      'APPEND: .git/info/exclude: evil',
      'APPEND: .git/docket.json: evil',
      'RUN: mv .git .git2',
      'APPEND: .docket/config.yaml: # evil',
      `RUN: git -C ${project.root} branch evil`,
    ];
    const allowed = [
      'WRITE: b.txt: b',
      'RUN: git add b.txt',
      'RUN: git -c user.name=a -c user.email=a@e commit --quiet -m work',
    ];
    await project.add({ text: [...deeds, ...allowed].join('\n'), worktree: true });
    const task = await project.ran();
    expect(task.status).toBe('done');
    expect(refused(project, task)).toEqual(deeds);
  });

  it('cannot make itself done in the queue’s file', async () => {
    const project = new ObedientProject({ acceptance: ['false'] }, boxed);
    await project.add({ text: 'RUN: sed -i s/running/completed/ .takt/tasks.yaml' });
    const task = await project.ran();
    expect(task).toMatchObject({ status: 'blocked', reason: { kind: 'verify' } });
    expect(fs.readFileSync(path.join(project.root, '.takt/tasks.yaml'), 'utf8')).not.toContain('completed\n');
  });
});
