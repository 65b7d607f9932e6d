import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { BudgetProject, used } from '../support/budget-project.ts';
import { whyOf } from '../support/circle.ts';
import { reports } from '../support/queue-workflow.ts';
import { actions, shell, subtask, TaskProject } from '../support/task-project.ts';
import { inFolder } from '../surfaces/cli/real-world.ts';

const price = { input: 1, output: 1 };

/** What holds the task, one after the other: each is raised with the command that it names. */
async function heldBy(project: BudgetProject, wanted: number): Promise<string[]> {
  const held: string[] = [];
  for (;;) {
    const why = whyOf(await project.ran());
    if (!why.startsWith('budget: ')) return [...held, why];
    held.push(why.replace(/^budget: (.*) are used.*$/s, '$1'));
    expect(project.calls()).toBe(wanted);
    await project.raises(why, 1000);
  }
}

describe('a cap that is reached', () => {
  it('in calls lets none begin, and lets go on when it is raised', { timeout: 60_000 }, async () => {
    const one = { calls: 1 };
    const project = new BudgetProject({ run: one, task: one, day: one, providers: { demo: one } });
    project.task('job', 'two');
    expect(await heldBy(project, 1)).toEqual([
      'run.calls: 1 of 1 calls',
      'task.calls: 1 of 1 calls',
      'day.calls: 1 of 1 calls',
      'providers.demo.calls: 1 of 1 calls',
      'done',
    ]);
    expect(project.calls()).toBe(2);
  });

  it('in tokens, money and seconds, too', { timeout: 60_000 }, async () => {
    const project = new BudgetProject({
      run: { tokens: 100 },
      task: { money: 0.3, seconds: 0.1 },
      day: { seconds: 0.1 },
      providers: { demo: { tokens: 100, money: 0.3 } },
    });
    project.task('job', 'two');
    expect((await heldBy(project, 1)).map((why) => why.replace(/\d+ of 0\.1 /, ''))).toEqual([
      'run.tokens: 110 of 100 tokens',
      'task.money: $0.40 of $0.30',
      'task.seconds: seconds',
      'day.seconds: seconds',
      'providers.demo.tokens: 110 of 100 tokens',
      'providers.demo.money: $0.40 of $0.30',
      'done',
    ]);
  });

  it('by a step lets it not be tried again', async () => {
    const report = { report: { status: 'success', summary: 'done' } };
    const dies = {
      step: 'first',
      turns: [
        [used, { die: true }],
        [used, report],
      ],
    };
    const project = new BudgetProject({ step: { calls: 1 } }, [dies, reports('second', 'done')]);
    project.task('job', 'two');
    expect(await heldBy(project, 1)).toEqual(['step.calls: 1 of 1 calls', 'done']);
    expect(project.calls()).toBe(3);
  });

  it('by an attempt ends it, and its conversation goes on', async () => {
    const report = { report: { status: 'success', summary: 'done' } };
    const slow = { step: 'first', turns: [[used, { wait: 60 }], [report]] };
    const project = new BudgetProject({ attempt: { money: 0.3 } }, [slow, reports('second', 'done')]);
    project.task('job', 'two');
    expect(await heldBy(project, 1)).toEqual(['attempt.money: $0.40 of $0.30', 'done']);
    expect([project.calls(), project.leftovers()]).toEqual([3, []]);
  });

  it('of the task itself', async () => {
    const project = new BudgetProject({});
    await project.does('add job --workflow two --budget calls=1');
    expect(await heldBy(project, 1)).toEqual(['its own budget: 1 of 1 calls', 'done']);
    expect(project.calls()).toBe(2);
  });

  it('of the task itself in money makes no call whose price nobody knows, unless it may', async () => {
    const agents = { demo: shell(':') };
    const project = new BudgetProject({}, [], { agents });
    await project.does('add job --workflow two --budget money=1');
    const why = whyOf(await project.ran());
    expect(why).toMatch(/^budget: money is capped, and nobody knows the price of the model of agent demo: /);
    expect(project.calls()).toBe(0);
    project.configure({ budgets: { unknownPrice: 'allow' } });
    await project.does('requeue job');
    const { status, used: spent } = await project.ran();
    expect([status, spent]).toMatchObject(['done', { calls: 2, unpriced: 2 }]);
  });

  it.each([
    ['taken away', { budgets: {} }],
    ['let pass', { budgets: { day: { money: 3 }, unknownPrice: 'allow' } }],
    ['for what costs nothing', { agents: { demo: { ...shell(':'), free: true } } }],
    ['for what has a price now', { agents: { demo: { ...shell(':'), model: 'm' } }, prices: { m: price } }],
  ])('in money, %s: what it held for its price goes on', async (_, settings) => {
    const project = new BudgetProject({ day: { money: 3 } }, [], { agents: { demo: shell(':') } });
    project.task('job', 'two');
    expect(whyOf(await project.ran())).toContain('nobody knows the price');
    const next = { command: 'docket budget set day.money none' };
    expect(await project.json('needs-me')).toMatchObject({ needs: [{ next }] });
    const before = await project.json('show', 'job');
    await project.ran();
    expect(await project.json('show', 'job')).toEqual(before); // it is not even tried
    project.configure(settings);
    expect(await project.json('needs-me')).toMatchObject({ needs: [] });
    expect((await project.ran()).status).toBe('done');
  });

  it('counts a call that told nothing as the most that it may have come to', async () => {
    const parts = ['first', 'second'].map((step) => reports(step, 'done'));
    const project = new BudgetProject({ attempt: { money: 0.5 }, task: { money: 0.4 } }, parts);
    project.task('job', 'two');
    expect(await heldBy(project, 1)).toEqual(['task.money: $0.50 of $0.40', 'done']);
  });

  it('and was raised is no need of a person any more: the next run is told as what goes on', async () => {
    const project = new BudgetProject({ day: { calls: 1 } });
    project.task('job', 'two');
    const held = whyOf(await project.ran());
    const needed = await project.json('needs-me');
    expect(needed).toMatchObject({ needs: [{ next: { command: 'docket budget set day.calls NUMBER' } }] });
    await project.raises(held, 10);
    expect(await project.json('needs-me')).toMatchObject({ needs: [] });
    const text = 'day.calls has room again: the next run goes on with it';
    expect(await project.json('status')).toMatchObject({
      needs: [],
      waiting: [{ why: { kind: 'budget', text }, next: { command: 'docket run' } }],
    });
    const explained = await project.json('explain', 'job');
    expect(explained).toMatchObject({ cause: { text, who: 'docket' }, next: [{ command: 'docket run' }] });
    const planned = await project.json('run', '--dry-run');
    expect(planned).toMatchObject({ tasks: [{ name: 'job' }] });
  });

  it('of the same day that is used up too holds it next, and settings that are broken raise nothing', async () => {
    const project = new BudgetProject({ day: { calls: 1, tokens: 100 } });
    project.task('job', 'two');
    await project.raises(whyOf(await project.ran()), 10);
    expect(whyOf(await project.ran())).toContain('day.tokens: 110 of 100 tokens');
    fs.writeFileSync(path.join(project.root, '.docket/config.yaml'), 'budgets: [');
    expect(await project.json('needs-me')).toMatchObject({ needs: [{}] });
  });

  it('in a task directory goes on with the next run of all, when it was raised', async () => {
    const project = await TaskProject.created();
    project.configure({ budgets: { task: { calls: 1 } } });
    const { task } = await project.run(actions(subtask('a'), subtask('b')), { parallel: 1 });
    expect(whyOf(task)).toContain('task.calls: 1 of 1 calls');
    const stays = await inFolder(project.root, ['run', '--all']);
    expect(project.codex.visits()).toHaveLength(1);
    expect(stays.stdout).toBe('');
    project.configure({ budgets: { task: { calls: 9 } } });
    const goes = await inFolder(project.root, ['run', '--all']);
    expect([goes.code, project.codex.visits().length]).toEqual([0, 2]);
  });

  it('is shared by the steps of a task that begin together', async () => {
    const project = await TaskProject.created();
    project.configure({ budgets: { task: { calls: 2 } } });
    const { task } = await project.run(actions(subtask('a'), subtask('b'), subtask('c')), { parallel: 3 });
    expect(whyOf(task)).toContain('task.calls: 2 of 2 calls');
    expect(project.codex.visits()).toHaveLength(2);
  });
});
