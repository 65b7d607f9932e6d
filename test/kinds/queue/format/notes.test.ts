import { describe, expect, it } from 'vitest';
import { queueLayout as queue } from '../../../../src/kinds/queue/format/layout.ts';
import {
  newRecord,
  type Noted,
  notedOf,
  wishesOf,
  withNoted,
} from '../../../../src/kinds/queue/format/record.ts';
import type { Command } from '../../../../src/task/command.ts';
import type { Fields } from '../../../../src/task/json.ts';
import type { Task } from '../../../../src/task/schema.ts';
import { adopted, now, pending, run } from './support.ts';

const lease = { kind: 'process', host: 'h', pid: 99, startTime: '1', bootId: 'b' } as const;
const by = (task: Task) => ({ id: task.id, by: 'docket' });
const note = (task: Task, noted: Noted): Task =>
  run([{ type: 'edit', ...by(task), set: { extras: withNoted(task.extras, noted) } }], task);
const start = (task: Task): Command => ({ type: 'start', ...by(task), owner: 'me', lease });
const blocked = (task: Task): Task =>
  run(
    [
      start(task),
      { type: 'block', ...by(task), reason: { kind: 'budget', text: 'too many steps', who: 'ann' } },
    ],
    task,
  );
const done = (task: Task): Task =>
  run([start(task), { type: 'settle', ...by(task), verdict: { kind: 'pass' }, summary: 's' }], task);
const says = (task: Task): Fields => queue.describe(task) ?? {};

/** What a person makes of the entry, and what docket makes of that. */
function edited(task: Task, change: Fields): Task {
  const fields = Object.fromEntries(
    Object.entries({ ...says(task), ...change }).filter(([, value]) => value !== undefined),
  ) as Fields;
  const commands = queue.revise(task, fields, Object.keys(change));
  if (!Array.isArray(commands)) throw new Error(commands.message);
  const after = run(commands, task);
  expect(says(after)).toEqual(fields);
  return after;
}

const newer = adopted({ ...pending, workflow: 'w' });
const spec = adopted({ ...pending, piece: 'w' });
const again = { status: 'pending', started_at: null, completed_at: null };
const gone = (...keys: string[]): Fields => Object.fromEntries(keys.map((key) => [key, undefined as never]));

describe('what docket notes', () => {
  const noted = { branch: 'takt/1-a', workspace: '/w/a', prUrl: 'https://x/1', runSlug: 'r-1' };

  it('stands in the record, as far as its words go', () => {
    const both = { branch: 'takt/1-a', worktree_path: '/w/a', pr_url: 'https://x/1' };
    expect(says(note(spec, noted))).toEqual({ ...says(spec), ...both });
    expect(says(note(newer, noted))).toEqual({ ...says(newer), ...both, run_slug: 'r-1' });
  });

  it('goes over what an earlier run left, never over the branch that a person wants', () => {
    const own = { branch: 'mine', worktree_path: '/old', run_slug: 'old' };
    const task = note(adopted({ ...pending, workflow: 'w', ...own }), noted);
    expect(says(task)).toMatchObject({ branch: 'mine', worktree_path: '/w/a', run_slug: 'r-1' });
    expect(wishesOf(task).branch).toBe('mine');
    expect(wishesOf(note(newer, noted)).branch).toBeUndefined();
  });

  it('gives way to a person who changes or deletes it, until there is news', () => {
    const task = edited(note(newer, noted), { pr_url: 'https://x/2', ...gone('worktree_path', 'branch') });
    expect(notedOf(task)).toMatchObject(noted);
    const later = note(task, { ...noted, prUrl: 'https://x/3', workspace: '/w/b' });
    expect(says(later)).toMatchObject({ pr_url: 'https://x/3', worktree_path: '/w/b' });
    expect(says(later)).not.toHaveProperty('branch');
  });

  it('is exceeded in the newer words and failed in the spec’s, and a person puts both back', () => {
    const exceeded = { exceeded: { max: 4, at: 4 } };
    const [young, old] = [blocked(note(newer, exceeded)), blocked(note(spec, exceeded))];
    expect(says(young)).toMatchObject({
      status: 'exceeded',
      started_at: now,
      completed_at: now,
      owner_pid: null,
    });
    expect(says(young)).toMatchObject({ exceeded_max_steps: 8, exceeded_current_iteration: 4 });
    expect(says(young)).not.toHaveProperty('failure');
    expect(says(old)).toMatchObject({ status: 'failed', failure: { error: 'too many steps' } });
    expect(says(old)).not.toHaveProperty('exceeded_max_steps');
    const limits = gone('exceeded_max_steps', 'exceeded_current_iteration');
    expect(edited(young, { ...again, ...limits })).toMatchObject({ status: 'queued' });
    expect(edited(old, { ...again, ...gone('failure') })).toMatchObject({ status: 'queued' });
    expect(notedOf(edited(old, { ...again, ...gone('failure') })).exceeded).toEqual({ max: 4, at: 4 });
  });

  it('speaks of no limit in a record that starts again at a place of its own', () => {
    const task = adopted({ ...pending, workflow: 'w', restart_point: { stack: [] } });
    expect(says(blocked(note(task, { exceeded: { max: 4, at: 4 } })))).not.toHaveProperty(
      'exceeded_max_steps',
    );
  });

  it('is pr_failed in the newer words and failed in the spec’s, and a person puts both back', () => {
    const error = 'push: no route';
    const [young, old] = [
      note(done(newer), { deliveryError: error }),
      note(done(spec), { deliveryError: error }),
    ];
    expect(says(young)).toMatchObject({ status: 'pr_failed', failure: { error } });
    expect(says(old)).toMatchObject({ status: 'failed', failure: { error } });
    for (const task of [young, old]) {
      expect(edited(task, { ...again, ...gone('failure') })).toMatchObject({ status: 'queued' });
      const completed = edited(task, { status: 'completed', ...gone('failure') });
      expect(completed).toMatchObject({ status: 'done' });
      expect(notedOf(completed).deliveryError).toBeUndefined();
    }
    expect(edited(young, { failure: { error: 'another reason' } })).toMatchObject({ status: 'done' });
  });

  it('leaves a record alone that says so in its own way', () => {
    const fields = {
      ...pending,
      workflow: 'w',
      status: 'pr_failed',
      started_at: 'then',
      completed_at: 'now',
    };
    const task = adopted({ ...fields, failure: { error: 'x', retryable: false } });
    expect(says(note(task, { deliveryError: 'x' }))).toMatchObject({
      failure: { error: 'x', retryable: false },
    });
    expect(says(note(task, { deliveryError: 'y' }))).toMatchObject({ failure: { error: 'y' } });
  });
});

describe('wishes', () => {
  it('are what people wrote, in either spelling', () => {
    const fields = {
      branch: 'b',
      base_branch: 'main',
      slug: 's',
      auto_pr: true,
      draft_pr: true,
      should_publish_branch_to_origin: true,
      issue: 7,
      start_movement: 'review',
      retry_note: 'again',
      exceeded_max_steps: 60,
    };
    expect(wishesOf(adopted({ ...pending, ...fields, exceeded_current_iteration: 30 }))).toEqual({
      branch: 'b',
      base: 'main',
      slug: 's',
      autoPr: true,
      draftPr: true,
      publish: true,
      issue: 7,
      startStep: 'review',
      retryNote: 'again',
      maxSteps: 60,
    });
    const none = { autoPr: false, draftPr: false, publish: false };
    expect(wishesOf(adopted({ ...pending, branch: '', slug: '' }))).toEqual(none);
    expect(wishesOf({ id: 'x', extras: { queue: { issue: 'a', branch: 5 } } })).toEqual(none);
  });
});

describe('the words of a record that docket made', () => {
  const create = (extras: Task['extras'], more: object = {}): Task =>
    run([
      {
        type: 'create',
        id: 'a1',
        by: 'cli',
        title: 'T',
        spec: { body: 'x', workflow: 'w' },
        extras,
        ...more,
      },
    ]);
  const made = create(
    {
      queue: newRecord({
        name: 'n',
        taskDir: '.takt/tasks/n',
        more: { start_movement: 'plan', needs: ['other'] },
      }),
    },
    { priority: 5 },
  );
  const among = (...keys: string[]) =>
    queue.split(`tasks:\n${keys.map((key) => `  - name: x\n    ${key}: y\n`).join('')}`);

  it.each([
    ['an empty file', among(), { piece: 'w', start_movement: 'plan', priority: 5, needs: ['other'] }],
    [
      'the spec’s',
      among('workflow', 'piece'),
      { piece: 'w', start_movement: 'plan', priority: 5, needs: ['other'] },
    ],
    ['the newer ones', among('piece', 'workflow', 'content'), { workflow: 'w', start_step: 'plan' }],
  ])('are those of its file: %s', (_what, sheet, expected) => {
    const {
      name: _,
      status: _s,
      created_at: _c,
      started_at: _a,
      completed_at: _b,
      ...rest
    } = queue.describe(made, sheet) ?? {};
    expect(rest).toEqual({ ...expected, task_dir: '.takt/tasks/n', summary: 'T', owner_pid: null });
  });

  it('stay its own where it has any, whatever the file says', () => {
    expect(queue.describe(spec, among('workflow'))).toHaveProperty('piece');
    expect(queue.describe(newer, among('piece'))).toHaveProperty('workflow');
  });
});
