import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ended } from '../support/child.ts';
import { QueueProject } from '../support/queue-project.ts';
import { report } from '../support/shell-project.ts';

const failing = report({ status: 'failed', summary: 'it cannot be done' });

describe('two tasks of one name', { timeout: 60_000 }, () => {
  it.each([
    ['the first fails', ['bad', 'good']],
    ['the second fails', ['good', 'bad']],
  ])('%s: each has its own result', async (_what, [first, second]) => {
    // The one that fails takes longer, and then the other way round: who ends first must not matter.
    const project = new QueueProject(
      `echo "$name" > "$name.txt"\n[ "$name" = bad ] && { sleep 0.5; ${failing}; exit 0; }\n${report()}`,
    );
    const content = (word: string | undefined) => ({
      name: 'twin',
      content: `${word} please`,
      worktree: true,
    });
    project.records([content(first), content(second)]);
    expect((await project.docket('run', '--concurrency', '2')).code).toBe(1);
    expect(project.begun().toSorted()).toEqual(['bad', 'good']);
    const word = (text = '') => (text.startsWith('bad') ? 'failed' : 'completed');
    expect(project.rawRecords().map(({ name, status, content: text }) => [name, status, word(text)])).toEqual(
      [first, second].map((text) => ['twin', word(text), word(text)]),
    );
    const [one, two] = project.rawRecords();
    expect([one?.failure, two?.failure].filter((failure) => failure)).toHaveLength(1);
    // A name that two have is not guessed: docket asks which.
    const { code, out } = await project.docket('retry', 'twin', '--json');
    expect(code).not.toBe(0);
    expect(out).toContain('twin');
    expect(project.rawRecords().map(({ status }) => status)).toEqual([first, second].map(word));
  });
});

const long = 'make the login form of the site nicer';

describe('four tasks whose names begin alike', { timeout: 60_000 }, () => {
  it('have run folders of their own', async () => {
    const project = new QueueProject(`sleep 0.2\n${report()}`);
    const names = ['a', 'b', 'c', 'd'].map((tail) => `${long} ${tail}`);
    project.records(names.map((name) => ({ name, slug: 'make-the-login-form', worktree: true })));
    expect((await project.docket('run', '--concurrency', '4')).code).toBe(0);
    const folders = fs.readdirSync(path.join(project.root, '.takt', 'runs'));
    expect(folders).toHaveLength(4);
    const told = folders.map((folder) =>
      fs.readFileSync(runFile(project, folder, 'context/task/order.md'), 'utf8'),
    );
    expect(told.toSorted()).toEqual(names.map((name) => `${name} please`));
    const metas = folders.map(
      (folder) => JSON.parse(fs.readFileSync(runFile(project, folder, 'meta.json'), 'utf8')) as Meta,
    );
    expect(metas.map(({ status }) => status)).toEqual(metas.map(() => 'completed'));
    expect(metas.map(({ runSlug }) => runSlug).toSorted()).toEqual(folders.toSorted());
  });

  it('also when they were added at the same time', async () => {
    const project = new QueueProject(report());
    const adds = [1, 2, 3, 4].map(() => ended(project.start('add', `${long}, please`, '--json')));
    const names = (await Promise.all(adds)).map(({ out }) => (JSON.parse(out) as { name: string }).name);
    expect(new Set(names).size).toBe(4);
    expect((await project.docket('run')).code).toBe(0);
    const records = project.rawRecords();
    expect(records.map(({ status }) => status)).toEqual(records.map(() => 'completed'));
    expect(new Set(records.map(({ task_dir: folder }) => folder)).size).toBe(4);
    expect(fs.readdirSync(path.join(project.root, '.takt', 'runs'))).toHaveLength(4);
  });
});

describe('three tasks with clones and one slug', { timeout: 60_000 }, () => {
  it('begun in the same second have branches of their own, and all are done', async () => {
    const project = new QueueProject(`echo "$name" > work.txt\nsleep 0.3\n${report()}`);
    const words = ['red', 'green', 'blue'];
    project.records(
      words.map((word) => ({
        name: `paint ${word}`,
        content: `${word} please`,
        slug: 'paint-it',
        worktree: true,
      })),
    );
    expect((await project.docket('run', '--concurrency', '3')).code).toBe(0);
    expect(project.rawRecords().map(({ status }) => status)).toEqual(words.map(() => 'completed'));
    const branches = project
      .git('for-each-ref', '--format=%(refname:short)', 'refs/heads/takt')
      .trimEnd()
      .split('\n');
    expect(branches).toHaveLength(3);
    for (const branch of branches) expect(branch).toMatch(/^takt\/\d{8}T?-?\d{4,6}-paint-it(-[a-z0-9]+)?$/);
    const works = branches.map((branch) => project.git('show', `${branch}:work.txt`).trimEnd());
    expect(works.toSorted()).toEqual(words.toSorted());
    expect(project.git('status', '--porcelain')).toBe('');
  });
});

interface Meta {
  status: string;
  runSlug: string;
}

function runFile({ root }: QueueProject, folder: string, name: string): string {
  return path.join(root, '.takt', 'runs', folder, name);
}
