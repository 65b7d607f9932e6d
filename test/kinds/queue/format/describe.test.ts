import { describe, expect, it } from 'vitest';
import { queueLayout as queue } from '../../../../src/kinds/queue/format/layout.ts';
import { newRecord } from '../../../../src/kinds/queue/format/record.ts';
import type { Command } from '../../../../src/task/command.ts';
import type { BlockReason, Lease } from '../../../../src/task/schema.ts';
import { adopted, completed, failed, fieldsOf, now, pending, run } from './support.ts';

const id = '01abcdefghjkmnpq';
const lease: Lease = { kind: 'process', pid: 99, host: 'here', startTime: '1', bootId: 'b' };
const create: Command = {
  type: 'create',
  id,
  by: 'cli',
  title: 'Add login',
  spec: { body: '# Add login\n\nplease', workflow: 'default', workspace: { kind: 'clone' } },
  extras: { queue: newRecord({ name: 'add-login', taskDir: '.takt/tasks/20260201-000000-add-login' }) },
};
const by = { id, by: 'test' } as const;
const start: Command = { type: 'start', ...by, owner: 'me', lease };
const block = (kind: BlockReason['kind']): Command => ({
  type: 'block',
  ...by,
  reason: { kind, text: 'look at it', who: 'ann' },
});
const done: Command = { type: 'settle', ...by, verdict: { kind: 'pass' }, summary: 'It works' };
const fail: Command = { type: 'fail', ...by, failure: { error: 'boom', step: 'plan', lastMessage: 'hm' } };

const waits = { status: 'pending', started_at: null, completed_at: null, owner_pid: null };
const over = { started_at: now, completed_at: now, owner_pid: null };

describe('a task in the file', () => {
  it('writes a new record in the words and the order of the spec', () => {
    const fields = queue.describe(run([create]));
    expect(Object.entries(fields ?? {})).toEqual([
      ['name', 'add-login'],
      ['status', 'pending'],
      ['piece', 'default'],
      ['task_dir', '.takt/tasks/20260201-000000-add-login'],
      ['created_at', now],
      ['started_at', null],
      ['completed_at', null],
      ['worktree', true],
      ['summary', 'Add login'],
      ['owner_pid', null],
    ]);
  });

  it.each<[string, Command[], object]>([
    ['queued', [], waits],
    ['claimed', [{ type: 'claim', ...by, owner: 'me', until: '2027-01-01T00:00:00Z' }], waits],
    ['running', [start], { status: 'running', started_at: now, completed_at: null, owner_pid: 99 }],
    [
      'running for a person',
      [{ ...start, lease: { kind: 'term', until: now } }],
      { status: 'running', started_at: now, completed_at: null, owner_pid: null },
    ],
    [
      'review',
      [start, { type: 'submit', ...by, token: 2, summary: 's' }],
      { status: 'running', owner_pid: 99 },
    ],
    ['blocked by a limit', [start, block('limit')], waits],
    ['blocked by a dependency', [block('dependency')], waits],
    [
      'blocked by a gate',
      [start, block('gate')],
      { status: 'failed', ...over, failure: { error: 'look at it' } },
    ],
    [
      'over its budget',
      [start, block('budget')],
      { status: 'failed', ...over, failure: { error: 'look at it' } },
    ],
    ['blocked before it started', [block('setup')], { status: 'failed', ...over }],
    ['done', [start, done], { status: 'completed', ...over }],
    [
      'failed',
      [start, fail],
      { status: 'failed', ...over, failure: { movement: 'plan', error: 'boom', last_message: 'hm' } },
    ],
    ['failed before it started', [fail], { status: 'failed', ...over }],
    [
      'canceled',
      [{ type: 'cancel', ...by, reason: 'no longer wanted' }],
      { status: 'failed', ...over, failure: { error: 'canceled: no longer wanted' } },
    ],
  ])('spells %s, and other tools take the record', (_what, commands, expected) => {
    const fields = queue.describe(run([create, ...commands])) ?? {};
    expect(fields).toMatchObject(expected);
    expect(fieldsOf(queue.render(fields, queue.split('')))).toEqual(fields);
  });

  it('does not list what was archived or removed', () => {
    expect(queue.describe(run([create, start, done, { type: 'archive', ...by }]))).toBeUndefined();
    expect(queue.describe(run([create, start, done, { type: 'remove', ...by, reason: '' }]))).toBeUndefined();
  });

  it('lists a task that another layout made', () => {
    const { extras: _, ...bare } = create;
    const fields = queue.describe(run([bare])) ?? {};
    expect(fields).toMatchObject({ name: id, content: '# Add login\n\nplease' });
    expect(fieldsOf(queue.render(fields, queue.split('')))).toEqual(fields);
  });

  it('keeps the newer words of a record, and drops what no longer holds', () => {
    const task = adopted({
      ...failed,
      workflow: 'w',
      failure: { step: 'plan', error: 'old', retryable: false },
    });
    const again = run(
      [
        { ...start, id: task.id },
        { ...fail, id: task.id },
      ],
      task,
    );
    expect(queue.describe(again)).toMatchObject({
      workflow: 'w',
      failure: { step: 'plan', error: 'boom', last_message: 'hm' },
    });
    expect(queue.describe(again)?.['failure']).not.toHaveProperty('retryable');
  });

  it.each(['exceeded', 'pr_failed'])('says %s only as long as it is so', (status) => {
    const fields = { ...completed, status, started_at: 'yesterday', mine: 1 };
    const task = adopted(fields);
    expect(task.status).toBe(status === 'exceeded' ? 'blocked' : 'done');
    expect(queue.describe(task)).toEqual(fields);
    const back: Command =
      status === 'exceeded'
        ? { type: 'requeue', id: task.id, by: 'x', reason: '' }
        : { type: 'reopen', id: task.id, by: 'x', reason: '' };
    const queued = run([back], task);
    expect(queue.describe(queued)).toEqual({ ...pending, mine: 1 });
    const over = run(
      [
        { ...start, id: task.id },
        { ...block('budget'), id: task.id },
      ],
      queued,
    );
    expect(queue.describe(over)).toMatchObject({
      status: 'failed',
      started_at: now,
      failure: { error: 'look at it' },
    });
  });

  it('makes order.md for tasks of its own only', () => {
    const task = run([create]);
    expect(queue.companions(task)).toEqual([
      { path: '.takt/tasks/20260201-000000-add-login/order.md', text: '# Add login\n\nplease' },
    ]);
    const outside = { ...task, extras: { queue: { name: 'a', task_dir: '../x' } } };
    expect(queue.companions(outside)).toEqual([]);
    const { content: _, ...rest } = pending;
    expect(queue.companions(adopted({ ...rest, task_dir: '.takt/tasks/x' }))).toEqual([]);
  });
});
