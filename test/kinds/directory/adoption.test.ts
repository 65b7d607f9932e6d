import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { treeOf } from '../../support/scratch.ts';
import { TaskProject } from '../../support/task-project.ts';

const left = new URL('../../fixtures/agentmesh-left/', import.meta.url);

/** A project with a directory as another tool left it. */
function leftAs(name: string): TaskProject {
  const project = new TaskProject();
  project.id = name;
  fs.cpSync(new URL(name, left), project.dir, { recursive: true });
  return project;
}

const json = async (project: TaskProject, ...args: string[]): Promise<Record<string, unknown>> => {
  const { code, out } = await project.docket(...args, '--json');
  return { code, ...(JSON.parse(out) as Record<string, unknown>) };
};

describe('a blocked worker of another tool', () => {
  it('is shown with its question and the time of its file, and looking changes no byte', async () => {
    const project = leftAs('blocked');
    const before = treeOf(project.dir);
    expect(await json(project, 'gate', 'list')).toMatchObject({
      gates: [
        {
          gate: 'gate-w1',
          state: 'blocked',
          questions: ['which db?', 'port?'],
          blockedAt: '2026-01-20T10:04:00.1Z',
        },
      ],
    });
    expect(await json(project, 'task', 'show', 'blocked')).toMatchObject({
      state: 'input-required',
      updatedAt: '2026-01-20T10:05:00.123456789Z',
      steps: [{ step: 'w1', state: 'blocked' }],
    });
    expect(await json(project, 'needs-me')).toMatchObject({ needs: [{ id: 'blocked' }] });
    const { next } = await json(project, 'explain', 'blocked');
    expect(JSON.stringify(next)).toContain('docket gate approve blocked gate-w1');
    expect(treeOf(project.dir)).toEqual(before);
  });

  it('does not become completed by join or resume', async () => {
    const project = leftAs('blocked');
    expect((await project.docket('task', 'join', 'blocked')).code).toBe(0);
    expect((await project.docket('task', 'resume', 'blocked')).code).toBe(5);
    expect(project.data('task.yaml')).toMatchObject({
      state: 'input-required',
      roster: [{ instance: 'w1', state: 'awaiting' }],
      gates: [{ id: 'gate-w1', state: 'blocked', blockedAt: '2026-01-20T10:04:00.1Z' }],
    });
    expect(project.text('README.md').match(/^- state: .*/gm)).toEqual(['- state: `input-required`']);
    expect(project.codex.visits()).toEqual([]);
  });

  it('continues its own session with the answer, in its own home', async () => {
    const project = leftAs('blocked');
    const thread = '019bd000-0000-7000-8000-000000000001';
    const sessions = path.join(project.dir, 'agents/w1/codex_home/sessions');
    fs.mkdirSync(sessions, { recursive: true });
    const said = { prompt: 'Choose a database.' };
    fs.writeFileSync(path.join(sessions, `rollout-${thread}.jsonl`), `${JSON.stringify(said)}\n`);
    expect(
      (await project.docket('gate', 'approve', 'blocked', 'gate-w1', '--note', 'pg. [[success]]')).code,
    ).toBe(0);
    expect(project.data('agents/w1/artifacts/final.json')).toEqual({
      status: 'blocked',
      summary: 'need db',
      questions: ['which db?', 'port?'],
    });
    const { task } = await project.resume();
    expect(task.status).toBe('done');
    expect(project.codex.visits()).toMatchObject([{ how: 'resume', from: thread }]);
    expect(project.codex.visits()[0]?.prompt).toContain('pg.');
    expect(project.codex.visits()[0]?.prompt).toContain('port?');
    expect(project.has('agents/w1/runtime/attempt-0/events.jsonl')).toBe(true);
  });

  it('is answered by notes that were written after it asked', async () => {
    const project = leftAs('blocked');
    project.edit('shared/human-notes.md', (text) => `${text}- Use pg. [[success]]\n`);
    const { task } = await project.resume();
    expect(task.status).toBe('done');
    expect(project.codex.visits()[0]?.prompt.split('Use pg.')).toHaveLength(2); // once
  });

  it('is not answered by notes that are older than its question', async () => {
    const project = leftAs('blocked');
    const notes = path.join(project.dir, 'shared/human-notes.md');
    fs.appendFileSync(notes, '- Written before.\n');
    fs.utimesSync(notes, new Date('2026-01-20T10:00:00Z'), new Date('2026-01-20T10:00:00Z'));
    await expect(project.resume()).rejects.toMatchObject({ code: 'NEEDS_PERSON' });
  });

  it('is answered or rejected in task.yaml', async () => {
    expect(await json(leftAs('answered'), 'task', 'show', 'answered')).toMatchObject({
      steps: [{ step: 'w1', state: 'ready' }],
    });
    const project = leftAs('blocked');
    project.edit('task.yaml', (text) => text.replace('state: blocked', 'state: rejected'));
    expect(await json(project, 'task', 'show', 'blocked')).toMatchObject({ steps: [{ state: 'failed' }] });
  });
});

describe('a worker of another tool without a result', () => {
  it.each(['active', 'empty-result'])('is a question and never a success: %s', async (name) => {
    const project = leftAs(name);
    expect(await json(project, 'task', 'show', name)).toMatchObject({
      state: 'input-required',
      steps: [{ step: 'w1', state: 'blocked', said: expect.stringContaining('has no result') }],
    });
    await project.docket('task', 'join', name);
    expect((await project.docket('task', 'resume', name)).code).toBe(5);
    expect(project.data('task.yaml')['state']).toBe('input-required');
    expect(project.has('agents/w1/artifacts/final.json')).toBe(false);
  });

  it('counts when the other tool writes its result later', async () => {
    const project = leftAs('active');
    expect((await project.docket('task', 'resume', 'active')).code).toBe(5);
    const final = path.join(project.dir, 'agents/w1/artifacts/final.json');
    fs.mkdirSync(path.dirname(final), { recursive: true });
    fs.writeFileSync(final, '{"status":"success","summary":"Ready after all."}');
    expect((await project.docket('task', 'resume', 'active')).code).toBe(0);
    expect(project.codex.visits()).toEqual([]);
    expect(project.data('task.yaml')).toMatchObject({
      state: 'completed',
      gates: [{ id: 'gate-w1', state: 'approved', resolvedBy: 'auto' }],
    });
  });
});

it('keeps what is done of half-finished work, and asks about the rest', async () => {
  const project = leftAs('half');
  const done = project.text('agents/done_one/artifacts/final.json');
  const shown = await json(project, 'task', 'show', 'half');
  expect(
    (shown['steps'] as { step: string; state: string }[]).map(({ step, state }) => [step, state]),
  ).toEqual([
    ['done_one', 'done'],
    ['broken', 'failed'],
    ['w1', 'blocked'],
  ]);
  await project.docket('task', 'join', 'half');
  expect(project.text('agents/done_one/artifacts/final.json')).toBe(done);
  const index = JSON.parse(project.text('shared/evidence/index.json')) as { id: string }[];
  expect(index.map(({ id }) => id)).toEqual(['worker-done-one', 'worker-broken', 'worker-w1']);
  expect(project.text('shared/reports/joined-summary.md')).toContain('- evidence: evidence:worker-done-one');
});

it('joins finished work with proof: the project commands run, and evidence names every worker', async () => {
  const project = leftAs('finished');
  project.configure({ acceptance: ['test -f made.txt'] });
  await project.docket('task', 'join', 'finished');
  expect(project.data('task.yaml')).toMatchObject({ state: 'input-required', gates: [{ id: 'proof' }] });
  project.write('made.txt', '');
  expect((await project.docket('task', 'resume', 'finished')).code).toBe(0);
  expect(project.data('task.yaml')['state']).toBe('completed');
  expect(project.text('shared/reports/joined-summary.md')).toContain('evidence:worker-w1');
});

it('joins without starting an agent: work that is not proved is a question', async () => {
  const project = leftAs('finished');
  const report = { status: 'success', summary: 'x', artifacts: { touchedFiles: ['src/none.ts'] } };
  project.edit('agents/w1/artifacts/final.json', () => JSON.stringify(report));
  await project.docket('task', 'join', 'finished');
  expect(project.data('task.yaml')).toMatchObject({ state: 'input-required', gates: [{ id: 'proof' }] });
  expect(project.log('agent.started').filter(({ by }) => by === 'controller')).toEqual([]);
  expect(project.codex.visits('w1')).toEqual([]);
});

it('leaves a canceled task of another tool canceled', async () => {
  const project = leftAs('canceled');
  expect((await project.docket('task', 'resume', 'canceled')).code).toBe(4);
  expect(await json(project, 'needs-me')).toMatchObject({ needs: [] });
});
