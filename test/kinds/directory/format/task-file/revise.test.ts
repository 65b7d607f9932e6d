import fc from 'fast-check';
import { describe as about, expect, it } from 'vitest';
import { agentmeshLayout as layout } from '../../../../../src/kinds/directory/format/layout.ts';
import type { TaskFile } from '../../../../../src/kinds/directory/format/task-file.ts';
import { same } from '../../../../../src/schema/json.ts';
import type { Task } from '../../../../../src/task/schema.ts';
import { runs } from '../../../queue/format/arbitraries.ts';
import { taskFile } from './arbitraries.ts';
import {
  adopted,
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

const changedKeys = (from: TaskFile, to: TaskFile): string[] =>
  Object.keys(to).filter((key) => !same(from[key as 'title'], to[key as 'title']));

function revise(task: Task, to: Partial<TaskFile>) {
  const file = { ...describe(task), ...to };
  return layout.revise(task, file, changedKeys(describe(task), file));
}

function edited(task: Task, to: Partial<TaskFile>): { types: string[]; task: Task } {
  const commands = revise(task, to);
  if (!Array.isArray(commands)) throw new Error(commands.message);
  return { types: commands.map(({ type }) => type), task: run(commands, task) };
}

const failed = (): Task => adopted({ ...plain, state: 'failed' });
const running = (): Task => dispatched(plain, [step('a'), step('b')]);
const waiting = (): Task => ask(finish(running(), 'a', 'blocked'), 'gate-a', 'human-approval', 'a');
const held = (): Task =>
  run(
    [{ type: 'block', id: 't1', by: 'w', reason: { kind: 'gate', text: 'x', who: 'a person' } }],
    waiting(),
  );
const done = (): Task => adopted({ ...plain, state: 'completed' });
const gatesOf = (task: Task, state: 'approved' | 'rejected' | 'open' | 'blocked'): Partial<TaskFile> => ({
  gates: describe(task).gates.map((gate) => ({ ...gate, state })),
});

about('an edit of task.yaml', () => {
  it('survives, whatever it is, as long as the file is valid', () => {
    fc.assert(
      fc.property(
        taskFile,
        taskFile,
        fc.constantFrom('created', 'failed', 'completed', 'canceled'),
        (from, to, state) => {
          const task = adopted({ ...from, state });
          const { createdAt } = describe(task);
          const target = { ...to, id: from.id, state, createdAt, updatedAt: describe(task).updatedAt };
          const after = describe(edited(task, target).task);
          expect({ ...after, updatedAt: target.updatedAt }).toEqual(target);
        },
      ),
      runs(500),
    );
  });

  it('is of its time from then on', () => {
    const task = adopted(fileIn(fixture('fresh')));
    expect(describe(task).updatedAt).not.toBe(now);
    expect(describe(edited(task, { title: 'U' }).task)).toMatchObject({ title: 'U', updatedAt: now });
  });

  it('keeps what other layouts keep of the task', () => {
    const task = { ...adopted(plain), extras: { ...adopted(plain).extras, board: { x: 1 } } };
    expect(edited(task, { topology: 'squad' }).task.extras).toMatchObject({ board: { x: 1 } });
  });

  it('changes nothing by a time', () => {
    expect(revise(adopted(plain), { createdAt: now, updatedAt: '2000-01-01T00:00:00Z' })).toEqual([]);
  });

  it('never gives a task another id', () => {
    expect(revise(adopted(plain), { id: 't2' })).toMatchObject({ fix: expect.stringContaining('t1') });
  });

  it('leaves to docket what its steps do, and to people what they know of them', () => {
    const task = running();
    const [a, b] = describe(task).roster as [TaskFile['roster'][0], TaskFile['roster'][0]];
    expect(revise(task, { roster: [{ ...a, state: 'completed' }] })).toEqual([]);
    const theirs = { ...a, instance: 'x', skills: [] };
    const after = edited(task, { roster: [{ ...a, skills: ['sql'] }, b, theirs] }).task;
    expect(describe(after).roster).toEqual([{ ...a, skills: ['sql'] }, theirs, b]);
  });

  it('keeps a state that docket worked out apart from one that a person wrote', () => {
    const milestones = ['m1', 'm2'].map((id) => ({
      id,
      title: id,
      state: 'pending' as const,
      dependsOn: [],
    }));
    const file = { ...plain, topology: 'squad' as const, milestones };
    const task = finish(dispatched(file, [step('a', { milestone: 'm1' })]), 'a', 'blocked');
    const [m1, m2] = describe(task).milestones as [TaskFile['milestones'][0], TaskFile['milestones'][0]];
    const after = edited(task, {
      milestones: [
        { ...m1, title: 'One' },
        { ...m2, state: 'done' },
      ],
    }).task;
    expect(after.extras['agentmesh']).toMatchObject({
      milestones: [{ title: 'One', state: 'pending' }, { state: 'done' }],
    });
    expect(describe(after).milestones).toMatchObject([{ state: 'blocked' }, { state: 'done' }]);
  });
});

about('a new state', () => {
  it.each<[string, () => Task, TaskFile['state'], string[], string]>([
    ['canceled while it waits', () => adopted(plain), 'canceled', ['cancel'], 'canceled'],
    ['canceled while it runs', running, 'canceled', ['cancel'], 'canceled'],
    ['created after it failed', failed, 'created', ['requeue'], 'queued'],
    [
      'created while it is blocked',
      () => adopted({ ...plain, state: 'input-required' }),
      'created',
      ['requeue'],
      'queued',
    ],
  ])('%s', (_what, task, state, types, status) => {
    expect(edited(task(), { state })).toMatchObject({ types, task: { status } });
  });

  it.each<[string, () => Task, TaskFile['state'], string]>([
    ['working', () => adopted(plain), 'working', 'docket task run t1'],
    ['completed while it runs', running, 'completed', 'docket task cancel t1'],
    ['input-required', failed, 'input-required', 'docket task cancel t1'],
    ['created while it runs', running, 'created', 'docket task cancel t1'],
    ['created while a gate waits', held, 'created', 'docket gate approve t1 gate-a'],
    ['created after it was done', done, 'created', 'docket task create'],
    ['canceled after it was done', done, 'canceled', 'docket task create'],
  ])('%s has a command', (_what, task, state, command) => {
    expect(revise(task(), { state })).toMatchObject({
      message: expect.stringContaining(state),
      fix: expect.stringContaining(command),
    });
  });
});

about('a gate', () => {
  it.each(['approved', 'rejected'] as const)('is %s by a word in the file', (state) => {
    for (const more of [{}, { state: 'working' as const }]) {
      const { types, task } = edited(held(), { ...gatesOf(held(), state), ...more });
      expect(types).toEqual(['answer']);
      expect(task).toMatchObject({
        status: 'queued',
        run: { gates: { 'gate-a': { state, resolvedBy: 'file' } } },
      });
    }
  });

  it('is not answered twice, nor opened by another word', () => {
    const { task } = edited(waiting(), gatesOf(waiting(), 'approved'));
    expect(revise(task, gatesOf(task, 'rejected'))).toMatchObject({
      message: expect.stringContaining('is approved'),
    });
    expect(revise(waiting(), gatesOf(waiting(), 'open'))).toMatchObject({
      fix: expect.stringContaining('docket gate approve t1 gate-a'),
    });
  });

  it('is not answered by what was said of an earlier time', () => {
    const gates = describe(waiting()).gates.map((gate) => ({
      ...gate,
      state: 'approved' as const,
      blockedAt: '2026-01-01T00:00:00.000Z',
    }));
    expect(revise(waiting(), { gates })).toMatchObject({ message: expect.stringContaining('closed again') });
  });

  it('comes back when it is taken out of the file', () => {
    expect(revise(waiting(), { gates: [] })).toEqual([]);
  });

  it('that is planned is kept until it closes', () => {
    const [gate] = fileIn(fixture('by-hand')).gates;
    const { types, task } = edited(running(), { gates: [gate as TaskFile['gates'][0]] });
    expect(types).toEqual(['edit']);
    expect(describe(task).gates).toEqual([gate]);
  });

  it('that another tool closed is opened in the file', () => {
    const task = adopted(fileIn(fixture('after-run')));
    const opened = edited(task, gatesOf(task, 'approved'));
    expect(opened).toMatchObject({ types: ['edit', 'requeue'], task: { status: 'queued' } });
    expect(edited(task, { ...gatesOf(task, 'approved'), state: 'working' }).types).toEqual([
      'edit',
      'requeue',
    ]);
    expect(edited(task, { ...gatesOf(task, 'approved'), state: 'completed' })).toMatchObject({
      task: { status: 'done', unproved: true },
    });
    expect(edited(task, gatesOf(task, 'rejected'))).toMatchObject({
      types: ['edit'],
      task: { status: 'blocked' },
    });
  });
});
