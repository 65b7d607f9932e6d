import { describe, expect, it } from 'vitest';
import { queueLayout as queue } from '../../../../src/kinds/queue/format/layout.ts';
import { newRecord, type Noted, withNoted } from '../../../../src/kinds/queue/format/record.ts';
import type { Sheet } from '../../../../src/layout/layout.ts';
import type { Command } from '../../../../src/task/command.ts';
import type { Fields } from '../../../../src/task/json.ts';
import type { Task } from '../../../../src/task/schema.ts';
import { fixture, run } from './support.ts';

/** What a version of the original takes: its statuses and, where it is strict, every key that it knows. */
interface Era {
  fixture: string;
  statuses: readonly string[];
  keys?: readonly string[];
  failureKeys?: readonly string[];
}

const four = ['pending', 'running', 'completed', 'failed'];
const six = [...four, 'exceeded', 'pr_failed'];
const always =
  `name status task_dir content content_file created_at started_at completed_at owner_pid failure slug summary
  worktree worktree_path branch base_branch auto_pr draft_pr pr_url issue retry_note`.split(/\s+/);
const newest =
  `workflow run_slug source_run_slug resume_mode auto_requeue_count managed_pr source pr_number context_pr_number
  should_publish_branch_to_origin start_step start_movement exceeded_max_steps exceeded_current_iteration resume_point
  restart_point`.split(/\s+/);
const strict = { keys: [...always, ...newest], failureKeys: ['step', 'error', 'last_message', 'retryable'] };

const eras: Record<string, Era> = {
  'the spec, content': { fixture: 'spec-content', statuses: four },
  'the spec, task_dir': { fixture: 'spec-task-dir', statuses: four },
  '0.29': { fixture: 'takt-0.29', statuses: six },
  '0.39': { fixture: 'takt-0.39', statuses: six, ...strict },
  HEAD: { fixture: 'takt-head', statuses: six, ...strict },
};

/** The rules of the format, by themselves: not docket's own code that checks them. */
function problems({ statuses, keys, failureKeys }: Era, fields: Fields): string[] {
  const { status, started_at: started, completed_at: completed, owner_pid: pid, failure } = fields;
  const over = status !== 'pending' && status !== 'running';
  const limit = fields['exceeded_max_steps'] ?? fields['exceeded_max_movements'];
  const isSet = (value: unknown): boolean => value !== null && value !== undefined;
  const said: [boolean, string][] = [
    [!statuses.includes(status as string), `status ${JSON.stringify(status)}`],
    [isSet(started) !== (status !== 'pending'), 'started_at'],
    [isSet(completed) !== over, 'completed_at'],
    [typeof pid === 'number' && status !== 'running', 'owner_pid'],
    [status === 'failed' && !isSet(failure), 'no failure'],
    [isSet(failure) && status !== 'failed' && status !== 'pr_failed', 'failure'],
    [['content', 'content_file', 'task_dir'].filter((key) => isSet(fields[key])).length !== 1, 'source'],
    [isSet(limit) !== isSet(fields['exceeded_current_iteration']), 'exceeded_*'],
  ];
  const unknown = keys ? Object.keys(fields).filter((key) => !keys.includes(key)) : [];
  const inside = failureKeys ? Object.keys(failure ?? {}).filter((key) => !failureKeys.includes(key)) : [];
  return [...said.flatMap(([is, what]) => (is ? [what] : [])), ...unknown, ...inside];
}

const by = { id: 'a1', by: 'docket' } as const;
const lease = { kind: 'process', host: 'h', pid: 9, startTime: '', bootId: '' } as const;
const start: Command = { type: 'start', ...by, owner: 'me', lease };
const pass: Command = { type: 'settle', ...by, verdict: { kind: 'pass' }, summary: 'ok' };
const create: Command = {
  type: 'create',
  ...by,
  title: 'New',
  spec: { body: 'x', workflow: 'default', workspace: { kind: 'clone' } },
  priority: 3,
  extras: {
    queue: newRecord({
      name: 'new',
      taskDir: '.takt/tasks/new',
      more: { slug: 'new', branch: 'b', auto_pr: true, issue: 4, start_movement: 'plan', needs: ['x'] },
    }),
  },
};
const note = (noted: Noted): Command => ({ type: 'edit', ...by, set: { extras: withNoted({}, noted) } });
const fates: Record<string, Command[]> = {
  queued: [],
  running: [note({ runSlug: 'r', workspace: '/w', branch: 'b2' }), start],
  done: [start, note({ prUrl: 'https://x/1', commit: 'c' }), pass],
  'not delivered': [start, pass, note({ deliveryError: 'no route' })],
  failed: [start, { type: 'fail', ...by, failure: { error: 'e', step: 'plan', lastMessage: 'hm' } }],
  exceeded: [
    start,
    note({ exceeded: { max: 4, at: 4 } }),
    { type: 'block', ...by, reason: { kind: 'budget', text: 'limit', who: 'ann' } },
  ],
  canceled: [{ type: 'cancel', ...by, reason: 'no' }],
};

describe.each(Object.entries(eras))('a file of %s', (_name, era) => {
  const sheet: Sheet = queue.split(fixture(era.fixture));
  const records = sheet.entries.map((entry) => queue.parse(entry));

  it('reads here, and is what that version takes', () => {
    const found = records.map((parsed) => ('fields' in parsed ? problems(era, parsed.fields) : parsed.wrong));
    expect(found).toEqual(records.map(() => []));
  });

  it.each(Object.keys(fates))('takes the record of a task that docket made: %s', (outcome) => {
    const task: Task = run([create, ...(fates[outcome] ?? [])]);
    const text = queue.render(queue.describe(task, sheet) ?? {}, sheet);
    const [made] = queue.split(`tasks:\n${text}`).entries.map((entry) => queue.parse(entry));
    if (!made || 'wrong' in made) throw new Error(made?.wrong.message ?? 'no record');
    expect(problems(era, made.fields)).toEqual([]);
  });
});
