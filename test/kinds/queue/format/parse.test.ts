import { describe, expect, it } from 'vitest';
import { queueLayout as queue } from '../../../../src/kinds/queue/format/layout.ts';
import type { Wrong } from '../../../../src/schema/problem.ts';
import type { Json } from '../../../../src/task/json.ts';
import { completed, entry, failed, fieldsOf, fixture, pending, running } from './support.ts';

function wrongIn(fields: Readonly<Record<string, Json>>): Wrong | undefined {
  const parsed = queue.parse(entry(queue.render(fields, queue.split(''))));
  return 'wrong' in parsed ? parsed.wrong : undefined;
}
const without = (fields: Readonly<Record<string, Json>>, key: string): Record<string, Json> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => name !== key));
const exceeded = { ...completed, status: 'exceeded' };
const task_dir = '.takt/tasks/x';

describe('parse', () => {
  it.each([
    ['Either content, content_file, or task_dir is required.', without(pending, 'content')],
    ['Exactly one of content, content_file, or task_dir must be set.', { ...pending, task_dir }],
    [
      'task_dir must match .takt/tasks/<slug> format.',
      { ...without(pending, 'content'), task_dir: 'tasks/x' },
    ],
    [
      'task_dir must match .takt/tasks/<slug> format.',
      { ...without(pending, 'content'), task_dir: `${task_dir}/..` },
    ],
    ['resume_mode is required when source_run_slug is set.', { ...pending, source_run_slug: 'r' }],
    ['Running task requires started_at.', { ...running, started_at: null }],
    ['Running task must not have completed_at.', { ...running, completed_at: 'now' }],
    [
      'exceeded_max_steps and exceeded_current_iteration must both be set or both be absent.',
      { ...exceeded, exceeded_current_iteration: 0 },
    ],
    ['pr_number is required when source is "pr_review"', { ...pending, source: 'pr_review', branch: 'b' }],
    ['branch is required when source is "pr_review"', { ...pending, source: 'pr_review', pr_number: 1 }],
    ['managed_pr requires auto_pr to be true', { ...pending, managed_pr: true, worktree: true }],
    ['managed_pr requires worktree to be enabled', { ...pending, managed_pr: true, auto_pr: true }],
    [
      'start_step and restart_point cannot be specified together',
      { ...pending, start_step: 's', restart_point: {} },
    ],
    ['piece and workflow cannot be specified together', { ...pending, piece: 'a', workflow: 'b' }],
    ['name is required.', without(pending, 'name')],
    ['depends_on is not a key of this format.', { ...pending, depends_on: ['a'] }],
    ['name: expected string, received number 12', { ...pending, name: 12 }],
    ['name must not be empty', { ...pending, name: '' }],
    [
      'status: expected one of pending, running, completed, failed, exceeded, pr_failed, received string "done"',
      { ...pending, status: 'done' },
    ],
    ['owner_pid: expected integer >= 1, received number 1.5', { ...running, owner_pid: 1.5 }],
    ['failure: error: expected string, received null', { ...failed, failure: { error: null } }],
    ['branch: expected string, received null', { ...pending, branch: null }],
  ])('says: %s', (message, fields) => {
    expect(wrongIn(fields)).toMatchObject({ message, fix: expect.stringMatching(/\S/) });
  });

  it.each([
    ['Pending task must not have started_at.', { ...pending, started_at: 'now' }],
    ['Pending task must not have completed_at.', { ...pending, completed_at: 'now' }],
    ['Pending task must not have owner_pid.', { ...pending, owner_pid: 1 }],
    ['Pending task must not have failure.', { ...pending, failure: { error: 'x' } }],
    ['Completed task requires completed_at.', { ...completed, completed_at: null }],
    ['Completed task must not have owner_pid.', { ...completed, owner_pid: 1 }],
    ['Failed task requires failure.', { ...failed, failure: null }],
    ['Exceeded task must not have failure.', { ...exceeded, failure: { error: 'x' } }],
    ['PR-failed task requires started_at.', { ...completed, status: 'pr_failed', started_at: null }],
    [
      'priority: expected integer from -100 to 100, received "high"; docket does not use it.',
      { ...pending, priority: 'high' },
    ],
    [
      'estimate is not a key of this format; docket keeps it and does not use it.',
      { ...pending, estimate: 3 },
    ],
  ])('takes the record, and remarks: %s', (message, fields) => {
    const text = queue.render(fields, queue.split(''));
    expect(fieldsOf(text)).toEqual(fields);
    expect(queue.remarks?.(entry(text))).toMatchObject([{ message, fix: expect.stringMatching(/\S/) }]);
  });

  it('names all problems of a record at once, each with its line', () => {
    const text = '- name: 5\n  status: done\n  issue: x\n  depends_on: a\n  priority: high\n';
    const parsed = queue.parse(entry(text));
    const { more = [], ...first } = 'wrong' in parsed ? parsed.wrong : { line: 0, message: '' };
    expect([first, ...more].map(({ line, message }) => [line, message.split(/[ :]/)[0]])).toEqual([
      [1, 'name'],
      [2, 'status'],
      [3, 'issue'],
      [1, 'Either'],
      [4, 'depends_on'],
      [5, 'priority'],
    ]);
  });

  it('needs a name and a text, and nothing else', () => {
    expect(fieldsOf('- name: a\n  content: Do it.\n')).toEqual({ name: 'a', content: 'Do it.' });
  });

  it.each([
    [
      'the path that the spec calls wrong',
      { ...without(pending, 'content'), task_dir: '.takt/tasks/invalid' },
    ],
    ['a null failure', { ...pending, failure: null }],
    ['no owner_pid', without(completed, 'owner_pid')],
    ['a running task without a pid', { ...running, owner_pid: null }],
    [
      'the older words',
      { ...exceeded, piece: 'p', exceeded_max_movements: 2, exceeded_current_iteration: 0 },
    ],
    ['unknown keys', { ...pending, mine: [{ a: 1 }] }],
  ])('takes %s', (_what, fields) => {
    expect(fieldsOf(queue.render(fields, queue.split('')))).toEqual(fields);
  });

  it('says where in the file, entry by entry', () => {
    const { entries } = queue.split(fixture('one-bad-record'));
    const results = entries.map((item) => {
      const parsed = queue.parse(item);
      return 'wrong' in parsed
        ? [item.ref, parsed.wrong.line, parsed.wrong.column, parsed.wrong.message]
        : item.ref;
    });
    expect(results).toEqual([
      'good',
      [
        'bad',
        9,
        5,
        'status: expected one of pending, running, completed, failed, exceeded, pr_failed, received string "almost"',
      ],
      ['half-saved', 16, 1, 'Missing closing "quote'],
      ['?4', 16, 5, 'name is required.'],
      'also-good',
    ]);
  });

  it('counts lines from the first line of the entry, comments included', () => {
    const parsed = queue.parse({ ref: 'a', text: '# c\r\n- name: a\r\n  status: nope\r\n', line: 10 });
    expect(parsed).toMatchObject({
      wrong: { line: 12, column: 3, message: expect.stringContaining('received string "nope"') },
    });
  });

  it('reads anchors inside an entry, and refuses what lies outside it', () => {
    const text =
      '- name: &n a\n  status: pending\n  content: *n\n  created_at: x\n  started_at: null\n  completed_at: null\n';
    expect(fieldsOf(text)).toMatchObject({ content: 'a' });
    expect(queue.parse(entry(text.replace('*n', '*other')))).toMatchObject({ wrong: { line: 3 } });
  });

  it('is safe from what hostile YAML does', () => {
    const bomb = ['- a: &a [x, x, x, x, x, x, x, x, x, x]'];
    for (let i = 1; i < 12; i++) {
      const last = String.fromCharCode(96 + i);
      bomb.push(`  b${i}: &${String.fromCharCode(97 + i)} [${Array(10).fill(`*${last}`).join(', ')}]`);
    }
    for (const text of [
      bomb.join('\n'),
      '- &a [*a]',
      '- a: &a {b: *a}',
      `- a: ${'['.repeat(50_000)}`,
      `${'- '.repeat(50_000)}a`,
      '- {__proto__: {polluted: true}}',
      '- a: {__proto__: {polluted: true}}',
      '- a: .nan',
      '- a: .inf',
      '- ? [a]\n  : b',
      '- 1: a\n  "1": b',
      '- a: 1\n  a: 2',
    ]) {
      expect(queue.parse(entry(text))).toHaveProperty('wrong');
    }
    expect({}).not.toHaveProperty('polluted');
  });
});
