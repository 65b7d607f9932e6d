import { describe, expect, it } from 'vitest';
import { commandsFor, isDeliveryOnly } from '../../../src/kinds/queue/verbs.ts';
import { nextSteps } from '../../../src/project/tasks/next.ts';
import { parseLine } from '../../../src/surfaces/cli/frame/parse.ts';
import { allowedNext } from '../../../src/task/allowed.ts';
import type { CommandType } from '../../../src/task/command.ts';
import { kindNames, type KindName } from '../../../src/task/kind-names.ts';
import { blockKinds, type Task } from '../../../src/task/schema.ts';

const at = '2026-03-01T12:00:00Z';
const name = 'T-001';
const card = {
  id: name,
  rev: 3,
  title: 'It',
  spec: { body: 'It' },
  priority: 0,
  needs: [],
  createdAt: at,
  createdBy: 'ann',
  updatedAt: at,
  queuedAt: at,
  extras: {},
};
const step = { id: 'work', kind: 'work', title: 'work', role: 'coder', agent: 'sh', needs: [] } as const;
const gate = {
  kind: 'human-approval',
  state: 'blocked',
  reason: 'which?',
  step: 'work',
  blockedAt: at,
  times: 1,
} as const;
const run = (
  state: 'running' | 'blocked' | 'done' | undefined,
  gates = {},
): Pick<Task, 'run' | 'attempts'> => ({
  run: {
    n: 1,
    goal: 'It',
    orders: '{}',
    startedAt: at,
    steps: [step],
    states: state ? { work: { state, since: at } } : {},
    gates,
  } as never,
  attempts: { work: { step: 'work', n: 1, agent: 'sh', adapter: 'command', mark: 'm', startedAt: at } },
});
const lease = { kind: 'process', host: 'h', pid: 1, startTime: '1', bootId: 'b' } as const;
const working = { ...card, owner: 'docket-1', token: 2, startedAt: at, lease };
const choice = {
  ...gate,
  options: [
    { id: 'yes', kind: 'allow', text: 'Yes' },
    { id: 'no', kind: 'deny', text: 'No' },
  ],
};

function undelivered(cause: 'push' | 'author'): object {
  const delivery = { state: 'failed', cause, reason: 'no' };
  return { ...card, status: 'done', startedAt: at, finishedAt: at, summary: 'ok', delivery, ...run('done') };
}

function held(reason: object): object {
  const why = { text: 'no', who: 'a person', ...reason };
  return { ...card, status: 'blocked', reason: why, ...run('running') };
}

/** Every end state, and the ways there. */
const states: Record<string, object> = {
  queued: { ...card, status: 'queued' },
  'queued after a stop': { ...card, status: 'queued', ...run('running') },
  running: { ...working, status: 'running', ...run('running') },
  'running beside a gate': { ...working, status: 'running', ...run('blocked', { g: gate }) },
  review: {
    ...card,
    status: 'review',
    owner: 'ann',
    token: 2,
    startedAt: at,
    summary: 'ok',
    lease: { kind: 'term', until: at },
  },
  done: { ...card, status: 'done', startedAt: at, finishedAt: at, summary: 'ok', ...run('done') },
  'done, not pushed': undelivered('push'),
  'done, by an author whom nobody vouches for': undelivered('author'),
  canceled: { ...card, status: 'canceled', finishedAt: at, canceledBecause: 'no' },
  'canceled in the middle': {
    ...card,
    status: 'canceled',
    finishedAt: at,
    canceledBecause: 'no',
    ...run('running'),
  },
  failed: {
    ...card,
    status: 'failed',
    startedAt: at,
    finishedAt: at,
    failure: { error: 'no' },
    ...run('done'),
  },
  'failed before it began': {
    ...card,
    status: 'failed',
    startedAt: at,
    finishedAt: at,
    failure: { error: 'no' },
  },
  deleted: {
    ...card,
    status: 'failed',
    startedAt: at,
    finishedAt: at,
    failure: { error: 'no' },
    removedAt: at,
  },
  archived: { ...card, status: 'done', startedAt: at, finishedAt: at, summary: 'ok', archivedAt: at },
  'blocked at a gate': {
    ...card,
    status: 'blocked',
    reason: { kind: 'gate', text: 'which?', who: 'a person' },
    ...run('blocked', { g: gate }),
  },
  'blocked at a choice': {
    ...card,
    status: 'blocked',
    reason: { kind: 'gate', text: 'which?', who: 'a person' },
    ...run('blocked', { g: choice }),
  },
  'blocked by a cap': held({ kind: 'budget', cap: { scope: 'user.day', unit: 'money', used: 1 } }),
  'blocked by its own cap': held({ kind: 'budget', cap: { scope: 'own', unit: 'calls', used: 1 } }),
  'blocked by its provider': held({ kind: 'limit', who: 'docket', provider: 'claude' }),
  ...Object.fromEntries(
    blockKinds.map((kind) => [
      `blocked: ${kind}`,
      { ...card, status: 'blocked', reason: { kind, text: 'no', who: 'a person' }, ...run('running') },
    ]),
  ),
};

/** What a command comes to, one of which must be possible. None: it only looks. */
const comesTo: Record<string, readonly CommandType[]> = {
  run: ['claim', 'requeue'],
  retry: ['requeue', 'reopen'],
  requeue: ['requeue', 'reopen'],
  cancel: ['cancel'],
  merge: ['requeue'],
  pr: ['edit'],
  restore: ['restore'],
  'gate approve': ['answer'],
  'gate reject': ['answer'],
  'task run': ['claim', 'requeue', 'reopen'],
  'task retry': ['claim', 'requeue', 'reopen'],
  'task resume': ['claim', 'requeue', 'reopen'],
  'task cancel': ['cancel'],
  'packet run': ['claim', 'requeue', 'reopen'],
  'packet resume': ['claim', 'requeue', 'reopen'],
  'packet cancel': ['cancel'],
  'board dispatch': ['claim'],
  add: ['claim'],
  'board autopilot': ['claim'],
  'say approve': ['settle'],
  'say request changes': ['settle'],
  'say reopen': ['requeue', 'reopen'],
  'say unblock': ['requeue'],
  'say cancel': ['cancel'],
};
const looks = new Set([
  'show',
  'explain',
  'diff',
  'logs',
  'agents',
  'budget',
  'limits',
  'task show',
  'packet status',
  'board status',
]);

/** They change what holds it, and not the task. */
const elsewhere = new Set(['budget set', 'limits open']);

/** The queue's own commands say themselves whether they would do it. */
function isTakenByQueue(called: string, task: Task): boolean {
  if (called !== 'retry' && called !== 'requeue' && called !== 'cancel') return true;
  return isDeliveryOnly(called, task, { by: 'ann' }) || commandsFor(called, task, { by: 'ann' }).length > 0;
}

describe.each(kindNames)('what is next for a task of the kind %s', (kind: KindName) => {
  it.each(Object.entries(states))('that is %s', async (_, state) => {
    const task = state as Task;
    const next = nextSteps({ kind, name, task });
    expect(next.length > 0 || task.removedAt !== undefined).toBe(true);
    for (const { words, does } of next) {
      expect(does).not.toBe('');
      const { command } = await parseLine(words);
      const said = command?.name === 'say' ? ` ${(words[1] ?? '').replace(` ${name}`, '')}` : '';
      const called = `${command?.name ?? ''}${said}`;
      if (
        elsewhere.has(called) ||
        looks.has(called) ||
        words.includes('--dry-run') ||
        words.includes('--wait')
      )
        continue;
      expect(Object.keys(comesTo)).toContain(called);
      const allowed = allowedNext(task);
      expect(
        comesTo[called]?.some((type) => allowed.includes(type)),
        `${called}: ${allowed.join()}`,
      ).toBe(true);
      expect(isTakenByQueue(called, task)).toBe(true);
    }
  });

  it('that waits for others is to look at these', () => {
    const waits = [
      { on: 'T-000', status: 'failed' as const },
      { on: 'gone', status: 'missing' as const },
    ];
    const task = { ...card, status: 'queued' } as Task;
    expect(nextSteps({ kind, name, task, waits }).map(({ words }) => words)).toEqual([
      ['explain', 'T-000', '--of', kind],
    ]);
  });

  it('that shares its name says which is meant', () => {
    const task = states['running'] as Task;
    const [logs] = nextSteps({ kind, name, task, of: kind });
    expect(logs?.words).toEqual(['logs', name, '--follow', '--of', kind]);
  });
});

describe('what is next for a task that is held', () => {
  const next = (state: object, kind: KindName = 'queue') =>
    nextSteps({ kind, name, task: state as Task }).map(({ words }) => words.join(' '));

  it('by a cap raises that cap: to try it again would be held again', () => {
    expect(next(states['blocked by a cap'] ?? {})).toEqual(['budget set --user day.money NUMBER', 'budget']);
    expect(next(states['blocked by its own cap'] ?? {})[0]).toBe(`retry ${name} --budget calls=NUMBER`);
    expect(next(states['blocked by its own cap'] ?? {}, 'packet')[0]).toBe(`packet resume ${name}`);
  });

  it('by its provider waits, or says that the provider answers', () => {
    expect(next(states['blocked by its provider'] ?? {})).toEqual([
      'run --wait',
      'limits',
      'limits open claude',
    ]);
  });

  it('by a conflict is tried again first: the same merge would conflict again', () => {
    const held = states['blocked: conflict'] as Task & { status: 'blocked' };
    const queueRun = { branch: 'b', commit: 'c', note: `${held.reason.text}. Look` };
    const acts = next({ ...held, extras: { queueRun } }).filter((words) => /^(merge|retry)/.test(words));
    expect(acts).toEqual([`retry ${name}`, `merge ${name}`]);
  });
});
