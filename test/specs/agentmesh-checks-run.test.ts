import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { until } from '../support/project.ts';
import { faultsOf } from '../support/published-schema.ts';
import { scratch, treeOf } from '../support/scratch.ts';
import { actions, subtask, TaskProject } from '../support/task-project.ts';
import { danglingRefs } from '../support/task-refs.ts';

it('check 13: each worker has a home, its raw output and its thread', async () => {
  const project = await TaskProject.ran(
    subtask('one'),
    subtask('two', 'success', { adapter: 'codex-app-server' }),
  );
  const [one, two] = [project.codex.visits('one')[0]!, project.codex.visits('two')[0]!];
  expect([one.home, two.home]).toEqual([
    `${project.dir}/agents/one/codex_home`,
    `${project.dir}/agents/two/codex_home`,
  ]);
  expect(project.text('agents/one/runtime/events.jsonl').split('\n')[0]).toBe(
    JSON.stringify({ type: 'thread.started', thread_id: one.thread }),
  );
  expect(project.text('agents/one/runtime/stderr.log')).toBe('Reading prompt from stdin...\n');
  for (const [name, { thread }] of [
    ['one', one],
    ['two', two],
  ] as const) {
    const session = project.data(`agents/${name}/session.json`);
    expect(faultsOf('session', session)).toEqual([]);
    expect(session['vendorSession']).toMatchObject({
      tool: 'codex',
      threadId: thread,
      codexHome: './codex_home',
    });
  }
  expect(project.text('agents/two/runtime/requests.jsonl')).toContain('"method":"turn/start"');
});

it('check 14: results validate, and the report holds them with evidence that resolves', async () => {
  const project = await TaskProject.ran(subtask('one'), subtask('two', 'blocked'));
  for (const name of ['one', 'two'])
    expect(faultsOf('worker-output', project.data(`agents/${name}/artifacts/final.json`))).toEqual([]);
  const report = project.text('shared/reports/joined-summary.md');
  for (const words of ['Did one.', 'look at one', 'two cannot go on.', 'Which way for two?', 'And why?'])
    expect(report).toContain(words);
  const cited = [...report.matchAll(/evidence:([\w-]+)/g)].map(([, id]) => id);
  const entries = JSON.parse(project.text('shared/evidence/index.json')) as { id: string }[];
  expect(cited.length).toBeGreaterThanOrEqual(2);
  expect(entries.map(({ id }) => id)).toEqual(expect.arrayContaining(cited));
  expect(faultsOf('joined-summary', project.data('shared/reports/joined-summary.json'))).toEqual([]);
});

it('check 15: a blocked worker closes a gate, and nothing more is dispatched', async () => {
  const project = await TaskProject.created();
  await project.run(actions(subtask('one', 'blocked'), subtask('two'), subtask('three')), { parallel: 1 });
  expect(project.data('task.yaml')).toMatchObject({
    state: 'input-required',
    gates: [
      {
        id: 'gate-one',
        type: 'human-approval',
        state: 'blocked',
        instructionsRef: './shared/human-notes.md',
      },
    ],
  });
  const [closed] = project.log('gate.blocked');
  expect(closed?.['payload']).toMatchObject({
    gateId: 'gate-one',
    agentInstance: 'one',
    reason: 'Which way for one? (+1 more)',
  });
  expect(project.codex.visits().map(({ title }) => title)).toEqual(['one']);
});

it('check 16: it resumes only when a person has acted, and says who did', async () => {
  const project = await TaskProject.ran(subtask('one', 'blocked'));
  await expect(project.resume()).rejects.toMatchObject({ exitCode: 5 });
  expect(project.codex.visits()).toHaveLength(1);
  project.edit('shared/human-notes.md', (text) => `${text}- Go left.\n`);
  await project.resume();
  const file = project.data('task.yaml');
  expect(file).toMatchObject({ state: 'completed', gates: [{ state: 'approved', resolvedBy: 'human' }] });
  expect(project.list('task.yaml', 'gates')[0]?.['resolvedAt']).toMatch(/^\d{4}-/);
  expect(project.log('gate.approved')).toMatchObject([{ payload: { gateId: 'gate-one' } }]);
});

it('check 17: never more workers than allowed, and all of them come to their turn', async () => {
  const project = await TaskProject.created();
  project.edit('task.yaml', (text) => text.replace('maxConcurrentAgents: 3', 'maxConcurrentAgents: 2'));
  const names = ['a', 'b', 'c', 'd', 'e'];
  const run = project.run(actions(...names.map((name) => subtask(name, 'wait:go'))));
  await project.codex.started(2);
  project.codex.cue('go');
  await run;
  expect(project.codex.mostAtOnce()).toBe(2);
  expect(Object.values(project.finals())).toEqual(names.map(() => 'success'));
});

it('check 18: canceled from elsewhere, it ends with everything that it had started', async () => {
  const project = await TaskProject.created();
  const run = project.run(actions(subtask('one', 'hang'), subtask('two')));
  await until(
    'the worker and what it started',
    () => project.leftovers().length >= 3 && project.has('agents/two/artifacts/final.json'),
  );
  const { code, out } = await project.docket('task', 'cancel', project.id, '--json');
  expect([code, (JSON.parse(out) as { state: string }).state]).toEqual([0, 'canceled']);
  expect(project.leftovers()).toEqual([]);
  expect((await run).task.status).toBe('canceled');
  expect(project.log('agent.cancelled')).toMatchObject([{ agentInstance: 'one' }]);
  expect(project.log('task.canceled')).toHaveLength(1);
  expect(project.finals()).toMatchObject({ two: 'success' });
});

it("check 19: a worker's trouble is its own, with a reason", async () => {
  const project = await TaskProject.created({ gone: { adapter: 'codex', command: ['/nowhere/codex'] } });
  const bad = ['exit3', 'silent', 'garbage'];
  const tasks = [
    ...bad.map((act) => subtask(act, act)),
    subtask('gone', 'success', { adapter: 'gone' }),
    subtask('good'),
  ];
  await project.run(actions(...tasks), { parallel: 8 });
  expect(project.finals()).toEqual({
    exit3: 'failed',
    silent: 'failed',
    garbage: 'failed',
    gone: 'failed',
    good: 'success',
  });
  const errors = (name: string) =>
    (project.data(`agents/${name}/artifacts/final.json`)['errors'] as string[]).join();
  expect(errors('exit3')).toContain('the machine is on fire');
  expect(errors('silent')).toContain('exited 0 without a report');
  expect(errors('garbage')).toContain('no valid report');
  expect(errors('gone')).toContain('/nowhere/codex');
  expect(project.data('task.yaml')['state']).toBe('failed');
  expect(project.list('shared/reports/joined-summary.json', 'workers')).toHaveLength(5);
});

it('check 20: names that are paths are refused on every adapter', async () => {
  const project = await TaskProject.created();
  const before = treeOf(path.dirname(project.root));
  for (const adapter of ['codex-exec', 'codex-app-server', 'codex', 'shell'])
    for (const name of ['../x', '/x', 'a/b', '..', '.', '', 'a\u0000', '__proto__'])
      for (const key of ['taskId', 'agentInstance'])
        await expect(
          project.run(actions(subtask('one', 'success', { adapter, [key]: name }))),
        ).rejects.toMatchObject({ code: 'INVALID' });
  const tasks = await project.tasks();
  for (const id of ['../x', '..', 'a/b', ''])
    await expect(tasks.show(id)).rejects.toMatchObject({ code: 'INVALID' });
  expect(treeOf(path.dirname(project.root))).toEqual(before);
});

/** Everything below a folder, with times that even a rewrite of the same bytes would change. */
const stamps = (dir: string) =>
  Object.entries(treeOf(dir)).map(([name, what]) => [
    name,
    what,
    fs.lstatSync(path.join(dir, name), { bigint: true }).mtimeNs,
  ]);

it('check 21: reading changes no byte and no time', async () => {
  const project = await TaskProject.ran(subtask('one', 'blocked'), subtask('two'));
  const before = stamps(project.root);
  const { id } = project;
  for (const args of [
    ['task', 'list'],
    ['task', 'show', id],
    ['task', 'events', id],
    ['task', 'validate', id],
    ['gate', 'list'],
  ]) {
    const { code, out } = await project.docket(...args);
    expect([code, out !== '' || args[1] === 'validate']).toEqual([0, true]);
  }
  expect(stamps(project.root)).toEqual(before);
});

it('check 22: a copy of the directory elsewhere still reads, and its references resolve', async () => {
  const project = await TaskProject.ran(subtask('one', 'blocked'), subtask('two'));
  const shown = await (await project.tasks()).show(project.id);
  const other = new TaskProject();
  other.id = project.id;
  fs.cpSync(project.dir, other.dir, { recursive: true });
  fs.renameSync(project.dir, path.join(scratch(), 'gone'));
  const tasks = await other.tasks();
  expect((await tasks.show(other.id)).file).toEqual(shown.file);
  expect(danglingRefs(other.dir, other.root)).toEqual([]);
  expect((await tasks.validate(other.id)).filter(({ severity }) => severity === 'error')).toEqual([]);
  await other.answer('gate-one', 'approved');
  expect((await other.resume()).task.status).toBe('done');
});

it('check 23: exit codes, JSON alone on stdout, and parts of the log', async () => {
  const project = await TaskProject.ran(subtask('one'));
  const { id } = project;
  const json = async (...args: string[]) => {
    const { code, out } = await project.docket(...args, '--json');
    return { code, answer: JSON.parse(out) as { ok: boolean; events: { type: string }[] } };
  };
  expect(await json('task', 'show', 'nobody')).toMatchObject({ code: 3, answer: { ok: false } });
  expect(await json('task', 'show', '../x')).toMatchObject({ code: 2, answer: { ok: false } });
  expect(await json('task', 'create', '--title', 'x', '--topology', 'ring')).toMatchObject({ code: 2 });
  const { answer } = await json(
    'task',
    'events',
    id,
    '--type-prefix',
    'controller.',
    '--offset',
    '1',
    '--limit',
    '2',
  );
  expect(answer.events.map(({ type }) => type)).toEqual(Array(2).fill('controller.state.changed'));
  const { answer: all } = await json('task', 'events', id, '--limit', '1000');
  expect(all.events).toEqual(project.log());
});
