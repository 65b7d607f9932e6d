import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { QueueProject, queueText, recordText } from '../support/queue-project.ts';
import { mirrorOf, scratch } from '../support/scratch.ts';
import { report } from '../support/shell-project.ts';

const pair = ['before', 'after'];

describe('one bad record among good ones', () => {
  it('without its order.md: it waits for a person, its neighbours are done', async () => {
    const project = new QueueProject(report());
    project.records([{ name: 'before' }, { name: 'gone', task_dir: '.takt/tasks/gone' }, { name: 'after' }]);
    expect((await project.docket('run', '--concurrency', '3')).code).toBe(5);
    expect(project.begun()).toEqual(pair);
    const { out, code } = await project.docket('show', 'gone', '--json');
    expect(code).toBe(0);
    expect(out).toContain('.takt/tasks/gone/order.md');
    expect(await project.statuses()).toMatchObject({ before: 'done', after: 'done' });
    // It does not come back by itself, and it does when the file is there.
    expect((await project.docket('run')).code).toBe(5);
    expect(project.begun()).toEqual(pair);
    fs.mkdirSync(path.join(project.root, '.takt/tasks/gone'), { recursive: true });
    project.write('.takt/tasks/gone/order.md', 'gone please\n');
    expect((await project.docket('run', 'gone')).code).toBe(0);
    expect(project.begun()).toEqual([...pair, 'gone']);
    expect(project.statusByName()).toEqual({ before: 'completed', gone: 'completed', after: 'completed' });
  });

  it.each([
    ['with no text', 'content: "bad please"\n', ''],
    ['with a status that nobody knows', '"pending"', '"almost"'],
    ['with two texts', 'created_at', 'content_file: "a.txt"\n    created_at'],
    ['that is no mapping', recordText({ name: 'bad' }, 1), '  - just a text\n'],
    ['with a broken quote', '"bad please"', '"bad please'],
  ])('%s: it is told, and its neighbours are done', async (_what, part, instead) => {
    const project = new QueueProject(report());
    const bad = recordText({ name: 'bad' }, 1).replace(part, instead);
    expect(bad).not.toContain(recordText({ name: 'bad' }, 1));
    project.write(
      '.takt/tasks.yaml',
      `tasks:\n${recordText({ name: 'before' })}${bad}${recordText({ name: 'after' }, 2)}`,
    );
    expect((await project.docket('run', '--concurrency', '2')).code).toBe(5);
    expect(project.begun()).toEqual(pair);
    expect(project.yaml()).toContain(bad);
    expect(project.yaml().match(/status: "?completed/g)).toHaveLength(2);
    const { code, out } = await project.docket('validate', '--json');
    expect(code).toBe(2);
    expect(out).toContain('tasks.yaml');
    expect((await project.docket('list')).code).toBe(0);
    // Mended, it runs as the others did.
    project.write('.takt/tasks.yaml', project.yaml().replace(bad, recordText({ name: 'bad' }, 1)));
    expect((await project.docket('run')).code).toBe(0);
    expect(project.begun()).toEqual([...pair, 'bad']);
  });

  it('keys that nobody knows are kept, and so are those beside the list', async () => {
    const project = new QueueProject(report());
    const text = `# ours\nversion: 7\n${queueText([{ name: 'one', estimate: '3h', 'x-team': { lead: 'Ann' } }])}owner: "the team"\n`;
    project.write('.takt/tasks.yaml', text);
    expect((await project.docket('run')).code).toBe(0);
    expect(project.rawRecords()[0]).toMatchObject({
      status: 'completed',
      estimate: '3h',
      'x-team': { lead: 'Ann' },
    });
    expect(project.yaml()).toMatch(/^# ours\nversion: 7\ntasks:\n/);
    expect(project.yaml()).toMatch(/\nowner: "the team"\n$/);
  });
});

it('a file that is no YAML at all is kept, and told; mended, it runs', async () => {
  const project = new QueueProject(report());
  const broken = 'tasks: [ {name: one, status: pending\nwhat: "is this\n';
  project.write('.takt/tasks.yaml', broken);
  const { code } = await project.docket('validate', '--json');
  expect(code).toBe(2);
  await project.docket('run');
  expect(project.yaml()).toBe(broken);
  expect(project.begun()).toEqual([]);
  project.records([{ name: 'one' }]);
  expect((await project.docket('run')).code).toBe(0);
  expect(project.begun()).toEqual(['one']);
});

it.each([
  ['empty', (file: string) => fs.truncateSync(file)],
  ['full of zeros', (file: string) => fs.writeFileSync(file, Buffer.alloc(300))],
  ['gone', (file: string) => fs.rmSync(file)],
])(
  'a file that a power loss left %s: nobody takes that for an edit, and nothing is lost',
  async (_what, lose) => {
    const project = new QueueProject(report());
    project.records([{ name: 'done' }]);
    expect((await project.docket('run')).code).toBe(0);
    expect((await project.docket('add', 'waits please', '--name', 'waits')).code).toBe(0);
    const before = project.yaml();
    lose(mirrorOf(project.root));
    expect(await project.statuses()).toEqual({ done: 'done', waits: 'queued' });
    expect((await project.docket('add', 'more please', '--name', 'more')).code).toBe(0);
    fs.rmSync(mirrorOf(project.root)); // what is full of zeros is left alone until a person has looked
    expect((await project.docket('run')).code).toBe(0);
    expect(project.statusByName()).toEqual({ done: 'completed', waits: 'completed', more: 'completed' });
    expect(project.yaml()).toContain(before.slice(0, before.indexOf('  - name: waits')));
    expect(project.begun()).toEqual(['done', 'waits', 'more']);
  },
);

describe('content_file outside the root', () => {
  it.each([
    ['by its path', (secret: string) => secret],
    ['by a way up', (secret: string, root: string) => path.relative(root, secret)],
    [
      'by a link',
      (secret: string, root: string) => {
        fs.symlinkSync(secret, path.join(root, 'link.md'));
        return 'link.md';
      },
    ],
  ])('%s is not read', async (_how, name) => {
    const project = new QueueProject(report());
    const secret = path.join(scratch(), 'secret.md');
    fs.writeFileSync(secret, 'stolen please\n');
    project.records([
      { name: 'before' },
      { name: 'thief', content_file: name(secret, project.root) },
      { name: 'after' },
    ]);
    expect((await project.docket('run')).code).toBe(5);
    expect(project.begun()).toEqual(pair);
    expect((await project.docket('show', 'thief', '--json')).out).not.toContain('stolen');
  });
});

describe('what people wrote stays', () => {
  it('comments, quoting, order and style', async () => {
    const project = new QueueProject(report());
    const text = `# the team's queue
tasks:
  # first of all
  - created_at: '2026-03-01T08:00:00Z'   # by hand
    name: one
    content: |
      one please
      with # no comment
    status: pending
    started_at: null
    completed_at: ~

  # the end
`;
    project.write('.takt/tasks.yaml', text);
    expect((await project.docket('run')).code).toBe(0);
    const after = project.yaml();
    for (const kept of text.split('\n').filter((line) => !/status|_at: (null|~)/.test(line)))
      expect(after).toContain(kept);
    expect(after.indexOf('created_at')).toBeLessThan(after.indexOf('name: one'));
    expect(project.statusByName()).toEqual({ one: 'completed' });
  });

  it('a link to a file elsewhere', async () => {
    const project = new QueueProject(report());
    const real = path.join(scratch(), 'shared.yaml');
    fs.writeFileSync(real, queueText([{ name: 'one' }]));
    fs.symlinkSync(real, path.join(project.root, '.takt', 'tasks.yaml'));
    expect((await project.docket('run')).code).toBe(0);
    expect((await project.docket('add', 'two please')).code).toBe(0);
    expect(fs.lstatSync(path.join(project.root, '.takt', 'tasks.yaml')).isSymbolicLink()).toBe(true);
    expect(fs.readFileSync(real, 'utf8')).toContain('two please');
    expect(project.rawRecords().map(({ status }) => status)).toEqual(['completed', 'pending']);
  });
});
