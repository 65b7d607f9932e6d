import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { strictReportSchema } from '../../src/report/strict.ts';
import { faultsOf } from '../support/published-schema.ts';
import { actions, subtask, type TaskProject } from '../support/task-project.ts';
import { hands, realCodex, talkOf, vendorOf } from './real-codex.ts';

const transports = ['codex-exec', 'codex-app-server'];
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Files of vendor sessions below a worker's own home. */
function rollouts(project: TaskProject, name: string): string[] {
  const home = path.join(project.dir, 'agents', name, 'codex_home', 'sessions');
  return fs
    .readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.jsonl'));
}

function lines(project: TaskProject, name: string): Record<string, unknown>[] {
  const text = project.text(name).trimEnd().split('\n');
  return text.map((line) => JSON.parse(line) as Record<string, unknown>);
}

it('two workers have a home, a thread and a record each, and are joined', async () => {
  const { project, model } = await realCodex(() => ({
    one: [{ do: [{ shell: 'echo 1 > one.txt' }] }, hands('Wrote one.', { nextActions: ['Read it'] })],
    two: [hands('Looked at two.')],
  }));
  // The format's own schema by its path: as it stands there, strict output would refuse it.
  const schema = { outputSchemaPath: './schemas/worker-output.schema.json' };
  const ran = await project.run(actions(subtask('one', 'one', schema), subtask('two', 'two')));
  expect(ran.steps.map(({ step, state }) => [step, state])).toEqual([
    ['one', 'done'],
    ['two', 'done'],
  ]);
  expect(project.read('one.txt')).toBe('1\n');
  const threads = ['one', 'two'].map((name) => {
    const { threadId, codexHome } = vendorOf(project, name);
    expect(threadId).toMatch(uuid);
    expect(codexHome).toBe('./codex_home');
    expect(rollouts(project, name)).toEqual([expect.stringContaining(threadId)]);
    expect(faultsOf('session', project.data(`agents/${name}/session.json`))).toEqual([]);
    expect(faultsOf('worker-output', project.data(`agents/${name}/artifacts/final.json`))).toEqual([]);
    const [first, ...rest] = lines(project, `agents/${name}/runtime/events.jsonl`);
    expect(first).toEqual({ type: 'thread.started', thread_id: threadId });
    expect(rest.at(-1)).toMatchObject({ type: 'turn.completed' });
    return threadId;
  });
  expect(new Set(threads).size).toBe(2);
  expect(project.text('shared/reports/joined-summary.md')).toMatch(
    /Wrote one\.[^]*Read it[^]*Looked at two\./,
  );
  expect(faultsOf('joined-summary', project.data('shared/reports/joined-summary.json'))).toEqual([]);
  expect(model.requests.map(({ schema: sent, strict }) => [sent, strict])).toEqual(
    model.requests.map(() => [strictReportSchema, true]),
  );
});

it('a schema that strict output refuses is the failure of its worker, in the words of the vendor', async () => {
  const { project } = await realCodex(() => ({ odd: [hands('Never said.')], two: [hands('Done.')] }));
  project.write('lax.json', JSON.stringify({ type: 'object', properties: { status: { type: 'string' } } }));
  const odd = subtask('odd', 'odd', { outputSchemaPath: 'lax.json' });
  await project.run(actions(odd, subtask('two', 'two')));
  expect(project.finals()).toEqual({ odd: 'failed', two: 'success' });
  expect(project.text('agents/odd/artifacts/final.json')).toMatch(
    /tooling: Invalid schema[^"]*'additionalProperties'/,
  );
});

it.each(transports)(
  'a blocked worker goes on in its own thread with the answer of a person, on %s',
  async (adapter) => {
    const { project, model } = await realCodex(() => ({
      stuck: [hands('I need a port.', { status: 'blocked', questions: ['Which port?'] })],
      answer: [hands('Listens.')],
    }));
    const blocked = await project.run(actions(subtask('one', 'stuck', { adapter })));
    expect(blocked.task.status).toBe('blocked');
    expect(project.data('task.yaml')).toMatchObject({
      state: 'input-required',
      gates: [{ id: 'gate-one', state: 'blocked', reason: 'Which port?' }],
    });
    const before = vendorOf(project, 'one');
    await project.answer('gate-one', 'approved', { note: 'Port 8080. [[answer]]' });
    expect((await project.resume()).task.status).toBe('done');
    expect(vendorOf(project, 'one')).toEqual(before);
    expect(model.requests.map(({ seen }) => seen)).toEqual([['stuck'], ['stuck', 'answer']]);
    expect(talkOf(model, 'answer')).toMatch(/assistant: .*I need a port\.[^]*user: [^]*Port 8080\./);
    expect(project.data('agents/one/artifacts/final.json')).toMatchObject({ summary: 'Listens.' });
  },
);

it('forks have the conversation of their parent, by both transports at once, and stay its forks', async () => {
  const { project, model } = await realCodex(() => ({
    parent: [hands('The secret word is plum.')],
    exec: [hands('Forked by exec.')],
    server: [hands('May I?', { status: 'blocked' })],
    answer: [hands('Forked by the server.')],
  }));
  await project.run(actions(subtask('parent', 'parent')));
  const { threadId } = vendorOf(project, 'parent');
  const fork = { mode: 'fork', forkedFromThreadId: threadId };
  const server = subtask('server', 'server', { ...fork, adapter: 'codex-app-server' });
  await project.run(actions(subtask('exec', 'exec', fork), server));
  const forks = ['exec', 'server'].map((name) => vendorOf(project, name));
  const kept = { forkedFromThreadId: threadId, codexHome: '../parent/codex_home' };
  expect(forks).toMatchObject([kept, kept]);
  expect(new Set([threadId, ...forks.map((one) => one.threadId)]).size).toBe(3);
  await project.answer('gate-server', 'approved', { note: 'Yes. [[answer]]' });
  await project.resume();
  expect(project.finals()).toEqual({ parent: 'success', exec: 'success', server: 'success' });
  expect(['exec', 'server'].map((name) => vendorOf(project, name))).toEqual(forks);
  const seen = Object.fromEntries(model.requests.map((request) => [request.name, request.seen]));
  expect(seen).toEqual({
    parent: ['parent'],
    exec: ['parent', 'exec'],
    server: ['parent', 'server'],
    answer: ['parent', 'server', 'answer'],
  });
  expect(talkOf(model, 'exec')).toContain(
    'assistant: {"status":"success","summary":"The secret word is plum."',
  );
});

it.each([
  ['approve', 'out\n'],
  ['reject', undefined],
])(
  'an agent that asks in its turn lives on and hears the answer of another process: %s',
  async (word, written) => {
    const name = 'out.txt';
    const { project, model } = await realCodex((home) => ({
      leave: [{ do: [{ write: { path: `${home}/${name}`, content: 'out\n' } }] }, hands('Asked and heard.')],
    }));
    const out = path.join(project.home, name);
    const run = project.run(actions(subtask('one', 'leave', { adapter: 'codex-app-server' })));
    await project.untilGate('gate-one');
    const [gate] = await project.gates();
    expect(gate?.reason).toContain(name);
    expect(project.leftovers()).not.toEqual([]);
    expect(fs.existsSync(out)).toBe(false);
    expect(await project.docket('gate', word, project.id, 'gate-one', '--note', 'seen')).toMatchObject({
      code: 0,
    });
    expect((await run).task.status).toBe('done');
    expect(fs.existsSync(out) ? fs.readFileSync(out, 'utf8') : undefined).toBe(written);
    expect(model.requests.map(({ name, step }) => [name, step])).toEqual([
      ['leave', 0],
      ['leave', 1],
    ]);
    expect(project.log('agent.started')).toHaveLength(1);
    expect(project.leftovers()).toEqual([]);
  },
);
