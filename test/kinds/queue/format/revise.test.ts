import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { queueLayout as queue } from '../../../../src/kinds/queue/format/layout.ts';
import type { Fields, Json } from '../../../../src/task/json.ts';
import type { Task } from '../../../../src/task/schema.ts';
import { record, runs } from './arbitraries.ts';
import { adopted, completed, failed, pending, run, running } from './support.ts';

function changedKeys(from: Fields, to: Fields): string[] {
  const keys = new Set([...Object.keys(from), ...Object.keys(to)]);
  return [...keys].filter((key) => JSON.stringify(from[key]) !== JSON.stringify(to[key]));
}

function edited(task: Task, to: Fields): { types: string[]; task: Task } {
  const commands = queue.revise(task, to, changedKeys(queue.describe(task) ?? {}, to));
  if (!Array.isArray(commands)) throw new Error(commands.message);
  return { types: commands.map((command) => command.type), task: run(commands, task) };
}

describe('revise', () => {
  it.each<[string, Fields, Fields, string[], string]>([
    ['pending → running', pending, running, ['start'], 'running'],
    ['pending → completed', pending, completed, ['start', 'settle'], 'done'],
    ['pending → failed', pending, failed, ['start', 'fail'], 'failed'],
    [
      'pending → failed at once',
      pending,
      { ...failed, started_at: failed['completed_at'] as Json },
      ['fail'],
      'failed',
    ],
    ['running → pending', running, pending, ['requeue'], 'queued'],
    ['running → completed', running, completed, ['settle'], 'done'],
    ['running → failed', running, failed, ['fail'], 'failed'],
    ['running → another pid', running, { ...running, owner_pid: 7 }, ['requeue', 'start'], 'running'],
    ['completed → pending', completed, pending, ['reopen'], 'queued'],
    ['completed → failed', completed, failed, ['reopen', 'start', 'fail'], 'failed'],
    ['completed → pr_failed', completed, { ...completed, status: 'pr_failed' }, ['edit'], 'done'],
    ['failed → pending', failed, pending, ['requeue'], 'queued'],
    ['failed → running', failed, running, ['start'], 'running'],
    ['failed → completed', failed, completed, ['start', 'settle'], 'done'],
    ['failed → other words', failed, { ...failed, failure: { error: 'other' } }, ['start', 'fail'], 'failed'],
    [
      'failed → exceeded',
      failed,
      { ...completed, status: 'exceeded' },
      ['edit', 'start', 'block'],
      'blocked',
    ],
  ])('%s', (_what, from, to, types, status) => {
    const result = edited(adopted(from), to);
    expect(result).toMatchObject({ types, task: { status } });
    expect(queue.describe(result.task)).toEqual(to);
  });

  it.each<[string, Fields, object]>([
    ['text', { ...pending, content: '# Other\nx' }, { title: 'Other', spec: { body: '# Other\nx' } }],
    ['summary', { ...pending, summary: 'Short' }, { title: 'Short' }],
    ['workflow', { ...pending, piece: 'expert' }, { spec: { workflow: 'expert' } }],
    ['newer workflow', { ...pending, workflow: 'expert' }, { spec: { workflow: 'expert' } }],
    ['worktree', { ...pending, worktree: '../x' }, { spec: { workspace: { kind: 'clone', path: '../x' } } }],
    ['priority', { ...pending, priority: 9 }, { priority: 9 }],
    [
      'anything else',
      { ...pending, branch: 'b', mine: [1] },
      { extras: { queue: { branch: 'b', mine: [1] } } },
    ],
    ['how nothing is written', { ...pending, failure: null }, { status: 'queued' }],
  ])('a change of %s', (_what, to, expected) => {
    const task = adopted(pending);
    const { types, task: after } = edited({ ...task, extras: { ...task.extras, board: { x: 1 } } }, to);
    expect(types).toEqual(['edit']);
    expect(after).toMatchObject({ ...expected, extras: { board: { x: 1 } } });
    expect(queue.describe(after)).toEqual(to);
  });

  it('follows any edit that leaves the record valid', () => {
    fc.assert(
      fc.property(record, record, (from, to) => {
        const { name, created_at } = from;
        const target = { ...to, name, created_at } as Fields;
        expect(queue.describe(edited(adopted(from), target).task)).toEqual(target);
      }),
      runs(600),
    );
  });

  it('leaves keys alone that nobody changed', () => {
    const task = run(
      [{ type: 'edit', id: adopted(pending).id, by: 'me', set: { title: 'Ours' } }],
      adopted(pending),
    );
    const commands = queue.revise(task, { ...pending, branch: 'b' }, ['branch']);
    expect(Array.isArray(commands) && run(commands, task)).toMatchObject({ title: 'Ours' });
  });

  it('takes the newer word for where to start in the place of the older one', () => {
    const task = adopted({ ...pending, start_movement: 'plan' });
    const { task: after } = edited(task, { ...queue.describe(task), start_step: 'fix' });
    expect(queue.describe(after)).not.toHaveProperty('start_movement');
    expect(queue.describe(after)).toMatchObject({ start_step: 'fix' });
  });

  it.each(['created_at', 'name'])('refuses a new %s and says what it was', (key) => {
    const wrong = queue.revise(adopted(pending), { ...pending, [key]: 'x' }, [key]);
    expect(wrong).toMatchObject({
      message: expect.stringContaining(key),
      fix: expect.stringContaining(pending[key] as string),
    });
  });

  it('takes a person’s word that a blocked task may go on', () => {
    const id = adopted(running).id;
    const reason = { kind: 'gate', text: 'approve', who: 'ann' } as const;
    const task = run([{ type: 'block', id, by: 'x', reason }], adopted(running));
    expect(queue.describe(task)).toMatchObject({ status: 'failed' });
    expect(edited(task, pending)).toMatchObject({ types: ['requeue'], task: { status: 'queued' } });
  });
});
