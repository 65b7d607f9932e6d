import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { faultsOf } from '../support/published-schema.ts';
import { treeOf } from '../support/scratch.ts';
import { taskDirectory } from '../support/task-directory.ts';
import { actions, subtask, TaskProject } from '../support/task-project.ts';
import { danglingRefs } from '../support/task-refs.ts';

const phases = (project: TaskProject) =>
  project.log('controller.state.changed').map(({ payload }) => (payload as { state: string }).state);

it('check 1: creation makes every file of the skeleton', async () => {
  const project = await TaskProject.created();
  const names = [
    'task.yaml',
    'events.jsonl',
    'shared',
    'agents',
    'shared/human-notes.md',
    'shared/context-manifest.yaml',
  ];
  expect(names.filter((name) => !project.has(name))).toEqual([]);
  expect(project.text('README.md')).toMatch(new RegExp(`${project.id}[^]*swarm[^]*created`));
});

it('check 2: task.yaml parses and validates, before and after a run', async () => {
  const project = await TaskProject.created();
  const isGood = () => {
    const file = project.data('task.yaml');
    expect(faultsOf('task', file)).toEqual([]);
    for (const key of ['id', 'title', 'topology', 'state']) expect(file[key]).toMatch(/./);
  };
  isGood();
  await project.run(actions(subtask('one', 'blocked'), subtask('two', 'failed')));
  isGood();
});

it('check 3: every line of the log is an event of this task', async () => {
  const project = await TaskProject.ran(subtask('one', 'blocked'), subtask('two'));
  expect(project.text('events.jsonl').endsWith('}\n')).toBe(true);
  for (const event of project.log()) {
    expect(faultsOf('event', event)).toEqual([]);
    expect(event['taskId']).toBe(project.id);
    expect(new Date(event['ts'] as string).toISOString()).toBe(event['ts']);
  }
  expect(project.log('task.created')).toHaveLength(1);
});

it('check 4: earlier bytes of the log are a prefix of later ones', async () => {
  const project = await TaskProject.created();
  const texts = [project.text('events.jsonl')];
  const grown = () => texts.push(project.text('events.jsonl'));
  await project.run(actions(subtask('one', 'blocked'))).then(grown);
  await project.answer('gate-one', 'approved', { note: 'left' }).then(grown);
  await project.resume().then(grown);
  await project.run(actions(subtask('two'))).then(grown);
  for (const [at, text] of texts.entries()) {
    const next = texts[at + 1] ?? `${text}+`;
    expect(next.startsWith(text) && next.length > text.length).toBe(true);
  }
});

it('check 5: legacy states are read as what they mean', async () => {
  const project = new TaskProject();
  for (const [id, state] of [
    ['old-a', 'gate.blocked'],
    ['old-b', 'cancelled'],
  ] as const) {
    const yaml = `id: ${id}\ntitle: Old\ntopology: swarm\nstate: ${state}\n`;
    taskDirectory(project.root, id, { 'task.yaml': yaml, 'events.jsonl': null });
  }
  const { tasks, findings } = await (await project.tasks()).list();
  expect(findings).toEqual([]);
  expect(Object.fromEntries(tasks.map(({ id, file }) => [id, file['state']]))).toEqual({
    'old-a': 'input-required',
    'old-b': 'canceled',
  });
});

it('check 6: evidence validates, has unique ids, and leads somewhere inside', async () => {
  const project = await TaskProject.created();
  const mine = {
    id: 'by-hand',
    kind: 'file-anchor',
    title: 'Mine',
    summary: 'I saw it',
    createdAt: '2026-01-05T10:00:00Z',
    sources: [{ type: 'fileAnchor', path: 'a.txt', startLine: 1, endLine: 1 }],
  };
  project.edit('shared/evidence/index.json', () => JSON.stringify([mine]));
  const tasks = [
    subtask('a_b', 'proof'),
    subtask('a-b'),
    subtask('bad', 'traverse'),
    subtask('no', 'failed'),
  ];
  await project.run(actions(...tasks));
  const entries = JSON.parse(project.text('shared/evidence/index.json')) as { id: string }[];
  expect(entries.flatMap((entry) => faultsOf('evidence-entry', entry))).toEqual([]);
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
  expect(entries).toContainEqual(mine);
  expect(entries.length).toBeGreaterThan(tasks.length);
  expect(danglingRefs(project.dir, project.root)).toEqual([]);
});

it('check 7: bad actions are refused before anything happens', async () => {
  const project = await TaskProject.created();
  const bad = (change: Record<string, unknown>) => actions({ ...subtask('one'), ...change });
  const documents: [document: string, place: string][] = [
    ['{"sessionGoal":"x"}', '$.tasks'],
    [JSON.stringify({ tasks: [subtask('one')] }), '$.sessionGoal'],
    [actions(), '$.tasks'],
    ...['taskId', 'title', 'agent', 'adapter', 'prompt'].map((key): [string, string] => [
      bad({ [key]: undefined }),
      `$.tasks[0].${key}`,
    ]),
    [bad({ colour: 'red' }), '$.tasks[0].colour'],
    [bad({ mode: 'fork' }), '$.tasks[0].forkedFromThreadId'],
    [bad({ adapter: 'codexx' }), '$.tasks[0].adapter'],
    [actions(subtask('one'), subtask('one')), '$.tasks[1]'],
    [
      actions(subtask('a', 'success', { needs: ['b'] }), subtask('b', 'success', { needs: ['a'] })),
      '$.tasks[0].needs',
    ],
    [bad({ prompt: 'x'.repeat(40 * 1024 ** 2) }), '$.tasks[0].prompt'],
    ['{"sessionGoal": ', '$'],
  ];
  const before = treeOf(project.root);
  for (const [document, place] of documents) {
    const refusal = await project.run(document).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'INVALID', exitCode: 2, fix: expect.stringMatching(/./) });
    const { problems } = (refusal as { data: { problems: { path: string }[] } }).data;
    expect(problems.map((problem) => problem.path).join()).toContain(place);
  }
  expect(treeOf(project.root)).toEqual(before);
  expect(project.codex.visits()).toEqual([]);
});

it('check 8: the phases follow each other in a legal order', async () => {
  const project = await TaskProject.ran(subtask('one', 'blocked'), subtask('two'));
  await project.answer('gate-one', 'approved');
  await project.resume();
  const legal: Record<string, string[]> = {
    dispatching: ['monitoring'],
    monitoring: ['joining', 'blocked'],
    joining: ['blocked', 'done', 'dispatching'],
    blocked: ['dispatching'],
    done: ['dispatching'],
  };
  const found = phases(project);
  expect(found.slice(0, 2)).toEqual(['dispatching', 'monitoring']);
  expect(found.at(-1)).toBe('done');
  for (const [at, next] of found.slice(1).entries()) expect(legal[found[at] ?? '']).toContain(next);
});

it('check 9: the board has the goal, each subtask with its status, and where to look', async () => {
  const project = await TaskProject.ran(
    subtask('one'),
    subtask('two', 'failed'),
    subtask('three', 'blocked'),
  );
  const board = project.text('shared/state-board.md');
  expect(board).toContain('Ship the thing');
  for (const [id, status] of [
    ['one', 'completed'],
    ['two', 'failed'],
    ['three', 'blocked'],
  ])
    expect(board).toMatch(new RegExp(`^- \`${id}\` .*status=${status} `, 'm'));
  for (const name of ['reports/joined-summary.md', 'evidence/index.json', 'human-notes.md']) {
    expect(board).toContain(`./shared/${name}`);
    expect(project.has(`shared/${name}`)).toBe(true);
  }
});

it("check 10: people's text on the board survives, and the board does not grow", async () => {
  const project = await TaskProject.ran(subtask('one'));
  project.edit('shared/state-board.md', (text) => `Mine \t\r\n\n${text}\n\nAnd mine.`);
  const split = () => project.text('shared/state-board.md').split(/<!--.*START -->[^]*END -->/);
  const [before, behind] = split();
  await project.run(actions(subtask('two')));
  await project.run(actions(subtask('six')));
  const lines = project.text('shared/state-board.md').split('\n').length;
  await project.run(actions(subtask('ten')));
  expect(split()).toEqual([before, behind]);
  expect(before).toBe('Mine \t\r\n\n');
  expect(project.text('shared/state-board.md').split('\n')).toHaveLength(lines + 1);
});

it('check 11: each subtask has a folder and exactly one roster entry', async () => {
  const project = await TaskProject.ran(subtask('one', 'blocked'), subtask('two', 'failed', { retries: 1 }));
  await project.answer('gate-one', 'approved');
  await project.resume();
  expect(project.codex.visits('two')).toHaveLength(2);
  expect(project.list('task.yaml', 'roster').map(({ instance }) => instance)).toEqual(['one', 'two']);
  expect(fs.readdirSync(path.join(project.dir, 'agents')).toSorted()).toEqual(['one', 'two']);
});

it('check 12: a fork knows its parent and has a thread of its own', async () => {
  const project = await TaskProject.ran(subtask('parent'));
  const parent = project.codex.visits('parent')[0]!.thread;
  const fork = { mode: 'fork', forkedFromThreadId: parent };
  await project.run(
    actions(
      subtask('kid', 'success', fork),
      subtask('other', 'success', { ...fork, adapter: 'codex-app-server' }),
    ),
  );
  for (const name of ['kid', 'other']) {
    const { threadId, forkedFromThreadId } = project.data(`agents/${name}/session.json`)[
      'vendorSession'
    ] as Record<string, string>;
    expect(forkedFromThreadId).toBe(parent);
    expect(threadId).toMatch(/^[0-9a-f-]{36}$/);
    expect(threadId).not.toBe(parent);
  }
});
