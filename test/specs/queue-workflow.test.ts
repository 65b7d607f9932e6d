import { describe, expect, it } from 'vitest';
import { edits, reports, says, WorkflowProject } from '../support/queue-workflow.ts';

const plan = says('plan', 'I read it.\n<<<report 01-plan.md\n# The plan\n>>>\n[PLAN:1]');
const implement = says('implement', 'It is made. [IMPLEMENT:1]', edits('hello.txt', 'hello\n'));
const review = (step: string, text: string, rule: number) =>
  says(step, `<<<report 02-review.md\n${text}\n>>>\n[REVIEW:${rule}]`);

describe('the built-in workflow "default"', { timeout: 60_000 }, () => {
  it('plans, implements, verifies, reviews and fixes until the review approves', async () => {
    const project = new WorkflowProject(
      [
        plan,
        implement,
        review('review', 'It greets nobody.', 2),
        says('fix', 'Now it does. [FIX:1]', edits('hello.txt', 'hello, you\n')),
        review('review--2', 'It greets.', 1),
      ],
      { acceptance: ['grep -q hello hello.txt'] },
    );
    project.task('greet', 'default', { worktree: true });
    expect((await project.docket('run')).code).toBe(0);
    expect(await project.way('greet')).toEqual([
      'plan done: The plan is complete and can be implemented (tag)',
      'implement done: The change is made (tag)',
      'verify done: passed (checks)',
      'review done: changes are needed (tag)',
      'fix done: Every finding is settled, or answered with a reason (tag)',
      'verify--2 done: passed (checks)',
      'review--2 done: approved (tag)',
    ]);
    const branch = String(project.record()?.['branch']);
    expect(branch).toMatch(/^takt\/.+-greet$/);
    expect(project.git('show', `${branch}:hello.txt`)).toBe('hello, you\n');
    expect(project.git('status', '--porcelain')).toBe('');
    expect(project.runFile('reports/01-plan.md')).toBe('# The plan\n');
    expect(project.runFile('reports/02-review.md')).toBe('It greets.\n');
    expect(JSON.parse(project.runFile('meta.json'))).toMatchObject({ status: 'completed' });
    // The fixer hears the review, in the conversation in which it made the change.
    expect(project.prompts('fix')[0]).toContain('It greets nobody.');
    const { attempts } = (await project.show('greet')).task;
    expect(attempts['fix']?.session).toBe(attempts['implement']?.session);
    expect(attempts['review--2']?.session).not.toBe(attempts['review']?.session);
  });

  it('has a judge look when it goes round in circles', async () => {
    const project = new WorkflowProject([
      plan,
      implement,
      ...['fix', 'fix--2', 'fix--3'].map((step) => says(step, `${step} [FIX:1]`)),
      ...['review', 'review--2', 'review--3'].map((step) => review(step, 'still not', 2)),
      says('judge-review-fix', 'It goes nowhere. [JUDGE-REVIEW-FIX:2]'),
    ]);
    project.task('greet', 'default');
    expect((await project.docket('run')).code).toBe(1);
    const way = await project.way('greet');
    expect(way.filter((step) => step.startsWith('review'))).toHaveLength(3);
    expect(way.at(-1)).toBe(
      'judge-review-fix done: The same points come back, or new ones as fast as old ones are settled (tag)',
    );
    expect(project.record()?.status).toBe('failed');
  });

  it('without a plan that can be done it gives up, and says what the planner said', async () => {
    const project = new WorkflowProject([
      says('plan', 'A and not A cannot both be.\n<<<report 01-plan.md\nnone\n>>>\n[PLAN:3]'),
    ]);
    project.task('odd', 'default');
    expect((await project.docket('run')).code).toBe(1);
    expect(project.record()).toMatchObject({ status: 'failed', failure: { movement: 'plan' } });
    expect(project.record()?.failure?.error).toContain('The order contradicts itself');
    expect(project.record()?.failure?.last_message).toContain('A and not A cannot both be.');
  });
});

const two = [
  {
    name: 'first',
    instruction: 'Begin it.',
    rules: [
      { condition: 'good', next: 'second' },
      { condition: 'bad', next: 'ABORT' },
    ],
  },
  { name: 'second', instruction: 'End it.', rules: [{ condition: 'it is over', next: 'COMPLETE' }] },
];

describe('the choice of what follows', { timeout: 60_000 }, () => {
  it('is a judge’s when the agent gives no tag', async () => {
    const project = new WorkflowProject([
      says('first', 'I think it went well.'),
      says('first--judge', '[JUDGE:1]'),
      reports('second', 'And that was all.'),
    ]);
    project.workflow('two', two);
    project.task('it', 'two');
    expect((await project.docket('run')).code).toBe(0);
    expect(await project.way('it')).toEqual(['first done: good (judge)', 'second done: it is over (only)']);
    expect(project.prompts('first--judge')[0]).toContain('I think it went well.');
  });

  it('is nobody’s when no rule fits: it is blocked with what was said, and goes on from where a person says', async () => {
    const project = new WorkflowProject([
      says('first', 'Something else happened.'),
      says('first--judge', '[JUDGE:0]'),
      reports('second', 'And that was all.'),
    ]);
    project.workflow('two', two);
    project.task('it', 'two');
    expect((await project.docket('run')).code).toBe(5);
    const { task } = await project.show('it');
    expect(task).toMatchObject({ status: 'blocked', reason: { kind: 'gate' } });
    expect(task.reason?.text).toContain('Something else happened.');
    expect(task.reason?.text).toContain('([FIRST:1] good, [FIRST:2] bad), and a judge named none');
    expect((await project.docket('retry', 'it', '--from', 'second')).code).toBe(0);
    expect((await project.docket('run')).code).toBe(0);
    expect((await project.way('it')).at(-1)).toBe('second done: it is over (only)');
    expect(project.record()?.status).toBe('completed');
  });

  it('ends a task by ABORT as failed, with the last message', async () => {
    const project = new WorkflowProject([says('first', 'The roof is gone. [FIRST:2]')]);
    project.workflow('two', two);
    project.task('it', 'two');
    expect((await project.docket('run')).code).toBe(1);
    expect(project.record()).toMatchObject({
      status: 'failed',
      failure: { movement: 'first', last_message: expect.stringContaining('The roof is gone.') as string },
    });
  });

  it('is computed where it can be', async () => {
    const project = new WorkflowProject([reports('count', 'again'), reports('count--2', 'again')]);
    project.workflow('loop', [
      {
        name: 'count',
        instruction: 'Count on.',
        rules: [
          { when: 'context.iteration >= 2', next: 'COMPLETE' },
          { condition: true, next: 'count' },
        ],
      },
    ]);
    project.task('it', 'loop');
    expect((await project.docket('run')).code).toBe(0);
    expect(await project.way('it')).toEqual([
      'count done: true (default)',
      'count--2 done: context.iteration >= 2 (when)',
    ]);
  });
});
