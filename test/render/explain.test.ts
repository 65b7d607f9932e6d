import { describe, expect, it } from 'vitest';
import { nextOf, nextSteps } from '../../src/project/tasks/next.ts';
import { causeOf } from '../../src/render/explain/cause.ts';
import { parseLine } from '../../src/surfaces/cli/frame/parse.ts';
import type { Run } from '../../src/task/run.ts';
import { blockKinds, type Task } from '../../src/task/schema.ts';

const at = '2026-01-01T00:00:00.000Z';
const run: Run = {
  n: 1,
  goal: 'g',
  startedAt: at,
  steps: [{ id: 'work', kind: 'work', title: 'work', role: 'coder', agent: 'demo', needs: [] }],
  rounds: [0],
  orders: [''],
  states: {},
  gates: {},
};
const card = {
  id: 'T-001',
  rev: 1,
  title: 'Build it',
  spec: { body: 'Build it' },
  priority: 0,
  needs: [],
  createdAt: at,
  createdBy: 'ann',
  updatedAt: at,
  queuedAt: at,
  extras: {},
  run,
};
const lease = { kind: 'term', until: '2027-01-01T00:00:00.000Z' } as const;
const held = { owner: 'ann', lease, token: 1, startedAt: at };
const gate = { kind: 'human-approval', reason: 'May I?', state: 'blocked', times: 1, blockedAt: at } as const;

const states: [string, Task][] = [
  ['queued', { ...card, status: 'queued' }],
  ['running', { ...card, status: 'running', ...held }],
  ['review', { ...card, status: 'review', summary: 's', ...held }],
  ['done', { ...card, status: 'done', startedAt: at, finishedAt: at, summary: 'it is built' }],
  ['failed', { ...card, status: 'failed', finishedAt: at, failure: { error: 'no wood', step: 'work' } }],
  ['canceled', { ...card, status: 'canceled', finishedAt: at, canceledBecause: 'not needed' }],
  ...blockKinds.map((kind): [string, Task] => [
    kind,
    { ...card, status: 'blocked', reason: { kind, text: `held by ${kind}`, who: 'a person' } },
  ]),
];
const asked: Task = {
  ...card,
  run: { ...run, gates: { 'gate-work': gate } },
  status: 'blocked',
  reason: { kind: 'gate', text: 'gate-work: May I?', who: 'a person' },
};

describe.each(states)('a task that is %s', (kind, task) => {
  it('says why', () => {
    const cause = causeOf(task);
    expect(cause.kind).toBe(kind);
    expect(cause.text).not.toBe('');
    expect(cause.who === undefined).toBe(kind === 'done' || kind === 'canceled');
  });
});

it('a task that waits at a gate names the answer to it, and nothing that would be refused', async () => {
  for (const kind of ['queue', 'task'] as const) {
    const next = nextSteps({ kind, name: 'build', task: asked });
    expect(next.map(({ words }) => words.slice(0, 4).join(' '))).toEqual([
      'gate approve build gate-work',
      'gate reject build gate-work',
    ]);
    for (const { words } of next) expect((await parseLine(words)).command).toBeDefined();
  }
});

it('a task that is queued says whose turn it is', () => {
  const queued: Task = { ...card, status: 'queued' };
  const { run: _, ...fresh } = queued;
  expect(causeOf(queued).who).toBe('docket');
  expect(causeOf({ ...queued, owner: 'coder', lease, token: 1 }, [], 'idle').who).toBe('coder');
  expect(causeOf(fresh, [], nextOf('board').idle(fresh, 'T-001')?.text)).toMatchObject({
    text: expect.stringContaining('nobody has claimed it, and it was given to nobody') as unknown,
    who: 'a person',
  });
  const [, add] = nextSteps({ kind: 'board', name: 'T-001', task: fresh });
  expect(add?.words).toEqual(['add', '--from', 'T-001']);
  expect(causeOf(fresh, [], nextOf('task').idle(fresh, 'build')?.text)).toEqual({
    kind: 'queued',
    text: 'nothing was ordered for it yet',
    who: 'a person',
  });
});
