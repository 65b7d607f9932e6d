import { describe as about, expect, it } from 'vitest';
import { agentmeshLayout as layout } from '../../../../../src/kinds/directory/format/layout.ts';
import { newTask, placeholderNotes } from '../../../../../src/kinds/directory/format/new-task.ts';
import type { TaskFile } from '../../../../../src/kinds/directory/format/task-file.ts';
import type { Task } from '../../../../../src/task/schema.ts';
import {
  adopted,
  also,
  ask,
  describe,
  dispatched,
  fileIn,
  finish,
  fixture,
  now,
  plain,
  run,
  step,
} from './support.ts';

const created = (): Task =>
  run([
    { type: 'create', id: 't1', by: 'user', ...newTask({ title: 'T', topology: 'squad', description: 'D' }) },
  ]);

const squad: TaskFile = {
  ...plain,
  topology: 'squad',
  milestones: [
    { id: 'm1', title: 'One', state: 'pending', dependsOn: [] },
    { id: 'm2', title: 'Two', state: 'pending', dependsOn: ['m1'] },
  ],
};
const milestones = (task: Task): string[] => describe(task).milestones.map(({ state }) => state);
const gate = (task: Task, id: string) => describe(task).gates.find((one) => one.id === id);

about('a task that docket made', () => {
  it('Task file is readable after creation', () => {
    const text = layout.render(describe(created()), layout.split(''));
    expect(text).toBe(`id: t1
title: T
description: D
topology: squad
state: created
createdAt: "${now}"
updatedAt: "${now}"
milestones: []
roster: []
gates: []
config:
  maxConcurrentAgents: 3
  timeoutSeconds: 3600
  autoApprove: false
`);
    expect(fileIn(text)).toEqual(describe(created()));
  });

  it('Human notes exists for every task', () => {
    const files = new Map(layout.companions(created()).map(({ path, text }) => [path, text]));
    expect(files.get('shared/human-notes.md')).toBe(placeholderNotes);
    expect(placeholderNotes).toMatch(/^# .+\n\n- .+\n$/);
  });

  it('Context manifest exists by default', () => {
    const manifest = layout.companions(created()).find(({ path }) => path === 'shared/context-manifest.yaml');
    expect(manifest?.text).toMatch(/^attachments: \[\]$/m);
  });

  it('says what is in the blob store by saying nothing', () => {
    const body = { blob: 'a'.repeat(64), bytes: 9 };
    expect(describe({ ...created(), spec: { body } }).description).toBe('');
  });

  it('survives extras that make no sense', () => {
    const rubbish = { topology: 'ring', roster: [1, { instance: '../x', agent: 'a' }], gates: 'x', said: 7 };
    const task: Task = { ...created(), extras: { agentmesh: rubbish } };
    expect(describe(task)).toEqual({ ...describe(created()), topology: 'swarm' });
    expect(describe({ ...created(), extras: {} })).toEqual({ ...describe(created()), topology: 'swarm' });
  });
});

about('the state of the file', () => {
  const blocked = (task: Task): Task =>
    run([{ type: 'block', id: 't1', by: 'w', reason: { kind: 'gate', text: 'x', who: 'a person' } }], task);
  const running = (): Task => dispatched(plain, [step('a'), step('b')]);

  it('follows the task', () => {
    expect(describe(running()).state).toBe('working');
    expect(describe(blocked(running())).state).toBe('input-required');
    expect(describe(run([{ type: 'cancel', id: 't1', by: 'w', reason: '' }], running())).state).toBe(
      'canceled',
    );
    const failed = run([{ type: 'fail', id: 't1', by: 'w', failure: { error: 'x' } }], running());
    expect(describe(failed).state).toBe('failed');
    const done = run(
      [{ type: 'settle', id: 't1', by: 'w', verdict: { kind: 'pass' }, summary: '' }],
      running(),
    );
    expect(describe(done).state).toBe('completed');
  });

  it('asks for a person while one worker waits and another works', () => {
    const task = ask(finish(running(), 'a', 'blocked'), 'gate-a', 'human-approval', 'a');
    expect(describe(task).state).toBe('input-required');
    expect(gate(task, 'gate-a')).toEqual({
      id: 'gate-a',
      type: 'human-approval',
      state: 'blocked',
      reason: 'why?',
      instructionsRef: './shared/human-notes.md',
      blockedAt: now,
      resolvedAt: null,
      resolvedBy: null,
    });
  });

  it.each([
    ['ann', 'human'],
    ['file', 'human'],
    ['docket', 'auto'],
  ])('says of an answer by %s that it was %s', (by, word) => {
    const asked = ask(finish(running(), 'a', 'blocked'), 'gate-a', 'human-approval', 'a');
    const task = run([{ type: 'answer', id: 't1', by, gate: 'gate-a', decision: 'approved' }], asked);
    expect(gate(task, 'gate-a')).toMatchObject({ state: 'approved', resolvedAt: now, resolvedBy: word });
    expect(describe(task).state).toBe('working');
  });
});

about('the roster', () => {
  const begun =
    (id: string) =>
    (task: Task): Task =>
      also(task, (token) => [
        {
          type: 'begin',
          id: task.id,
          by: 'w',
          token,
          step: id,
          n: 1,
          agent: 'codex',
          adapter: 'codex',
          mark: 'm',
        },
      ]);
  const steps = ['new', 'busy', 'held', 'good', 'bad', 'gone'].map((id) => step(id));

  it('has one entry for each step', () => {
    let task: Task = dispatched(plain, [...steps, step('gate-x', { kind: 'human' })]);
    task = begun('busy')(task);
    task = finish(finish(task, 'held', 'blocked'), 'good', 'done');
    task = finish(finish(task, 'bad', 'failed'), 'gone', 'canceled');
    const states = () =>
      Object.fromEntries(describe(task).roster.map(({ instance, state }) => [instance, state]));
    const expected = {
      new: 'pending',
      busy: 'active',
      held: 'awaiting',
      good: 'completed',
      bad: 'failed',
      gone: 'failed',
    };
    expect(states()).toEqual(expected);
    task = run([{ type: 'requeue', id: 't1', by: 'w', reason: 'interrupted' }], task);
    expect(states()).toEqual({ ...expected, busy: 'pending' });
  });

  it('keeps entries of others, and what they said of a step beforehand', () => {
    const theirs = {
      instance: 'x',
      agent: 'qa',
      state: 'dormant',
      assignedMilestone: null,
      skills: ['s'],
    } as const;
    const early = {
      instance: 'a',
      agent: 'any',
      state: 'pending',
      assignedMilestone: 'm1',
      skills: ['sql'],
    } as const;
    const file = {
      ...squad,
      roster: [
        { ...theirs, skills: ['s'] },
        { ...early, skills: ['sql'] },
      ],
    };
    const task = dispatched(file, [step('b'), step('a')]);
    expect(describe(task).roster).toEqual([
      theirs,
      { ...early, agent: 'backend' },
      { instance: 'b', agent: 'backend', state: 'pending', assignedMilestone: null, skills: [] },
    ]);
  });
});

about('milestones', () => {
  const steps = [
    step('a', { milestone: 'm1' }),
    step('b', { milestone: 'm1' }),
    step('c', { milestone: 'm2' }),
  ];

  it('follow their steps', () => {
    const task = dispatched(squad, steps);
    expect(milestones(task)).toEqual(['pending', 'pending']);
    expect(milestones(finish(task, 'a', 'done'))).toEqual(['working', 'pending']);
    expect(milestones(finish(task, 'a', 'blocked'))).toEqual(['blocked', 'pending']);
    expect(milestones(finish(task, 'a', 'failed'))).toEqual(['working', 'pending']);
    expect(milestones(finish(finish(task, 'a', 'done'), 'b', 'done'))).toEqual(['done', 'pending']);
  });

  it('are done when their gate is approved too', () => {
    const gates: TaskFile['gates'] = fileIn(fixture('legacy')).gates.map((one) => ({
      ...one,
      state: 'open',
    }));
    const human = step('gate-m1', { kind: 'human', milestone: 'm1', needs: ['a', 'b'] });
    const done = finish(finish(dispatched({ ...squad, gates }, [...steps, human]), 'a', 'done'), 'b', 'done');
    expect(milestones(done)).toEqual(['working', 'pending']);
    const asked = ask(done, 'gate-m1', 'milestone-gate');
    expect(milestones(asked)).toEqual(['blocked', 'pending']);
    expect(describe(asked).gates).toHaveLength(1);
    const answer = (decision: 'approved' | 'rejected'): Task =>
      run([{ type: 'answer', id: 't1', by: 'ann', gate: 'gate-m1', decision }], asked);
    expect(milestones(answer('approved'))).toEqual(['done', 'pending']);
    expect(milestones(answer('rejected'))).toEqual(['blocked', 'pending']);
  });

  it('are done when a person says so', () => {
    const [first, second] = squad.milestones as [TaskFile['milestones'][0], TaskFile['milestones'][0]];
    const task = dispatched({ ...squad, milestones: [{ ...first, state: 'done' }, second] }, steps);
    expect(milestones(finish(task, 'a', 'failed'))).toEqual(['done', 'pending']);
  });
});

about('adopt', () => {
  it.each([
    ['created', 'queued'],
    ['working', 'queued'],
    ['input-required', 'blocked'],
    ['completed', 'done'],
    ['failed', 'failed'],
    ['canceled', 'canceled'],
  ] as const)('takes %s for %s', (state, status) => {
    for (const at of [null, '2026-01-01T00:00:00Z']) {
      const task = adopted({ ...plain, state, createdAt: at, updatedAt: at });
      expect(task).toMatchObject({ status, createdAt: at ?? now, createdBy: 'file' });
      expect(describe(task).updatedAt).toBe(state === 'working' ? now : (at ?? now));
    }
  });

  it('waits for what the closed gate is about', () => {
    expect(adopted(fileIn(fixture('legacy')))).toMatchObject({
      reason: { kind: 'gate', text: 'Somebody has to read the contract' },
    });
  });
});
