import { expect, it } from 'vitest';
import { subtask, TaskProject } from '../../support/task-project.ts';

/** The planner says these, one after the other; a text stands for itself. */
async function planned(answers: unknown[], maxRounds = 5) {
  const project = await TaskProject.created();
  const lines = answers.map((answer) => (typeof answer === 'string' ? answer : JSON.stringify(answer)));
  project.write('plans', `${lines.join('\n')}\n`);
  const ran = await project.plan('Reach the top. [[script:plans]]', maxRounds);
  const planner = project.codex.visits().filter(({ home }) => home.includes('orchestrator'));
  return {
    project,
    ran,
    planner,
    states: Object.fromEntries(ran.steps.map(({ step, state }) => [step, state])),
  };
}

const order = (sessionGoal: string, ...tasks: unknown[]) => ({ sessionGoal, tasks });
const done = { done: true, summary: 'The top is reached.' };

it('goes on round after round in one conversation, until the planner says done', async () => {
  const { project, ran, planner, states } = await planned([
    order('Round one', subtask('first'), subtask('odd', 'failed')),
    order('Round two', subtask('second', 'success', { needs: ['first'] })),
    done,
  ]);
  expect(ran.task.status).toBe('done');
  expect(states).toEqual({
    'orchestrator-1': 'done',
    first: 'done',
    odd: 'failed',
    'orchestrator-2': 'done',
    second: 'done',
    'orchestrator-3': 'done',
  });
  const [one, two, three] = planner;
  expect(planner.map(({ how }) => how)).toEqual(['new', 'resume', 'resume']);
  expect([two?.from, three?.from]).toEqual([one?.thread, one?.thread]);
  expect(one?.prompt).toMatch(/Reach the top\.[^]*codex-app-server[^]*taskId/);
  expect(two?.prompt).toMatch(/Did first\.[^]*odd went wrong\./);
  expect(three?.prompt).toContain('Did second.');
  expect(project.codex.visits('second')[0]?.prompt).toContain('Did first.');
  expect(project.list('task.yaml', 'roster').map(({ instance }) => instance)).toEqual(Object.keys(states));
});

it('tells the planner once what is wrong with its answer, and takes the better one', async () => {
  const wrong = order('Round one', subtask('first', 'success', { adapter: 'codexx' }));
  const { ran, planner, states } = await planned([wrong, order('Round one', subtask('first')), done]);
  expect(ran.task.status).toBe('done');
  expect(states).toEqual({ 'orchestrator-1': 'done', first: 'done', 'orchestrator-2': 'done' });
  expect(planner[1]).toMatchObject({ how: 'resume', from: planner[0]?.thread });
  expect(planner[1]?.prompt).toMatch(/\$\.tasks\[0\]\.adapter[^]*codexx/);
});

it('gives up a planner whose second answer is no better, and orders nothing', async () => {
  const { project, ran, planner, states } = await planned(['{"sessionGoal": "x", "tasks": [', 'no plan']);
  expect(ran.task.status).toBe('failed');
  expect(states).toEqual({ 'orchestrator-1': 'failed' });
  expect(planner).toHaveLength(2);
  expect(project.codex.visits()).toHaveLength(2);
});

it('ends after so many rounds', async () => {
  const rounds = ['a', 'b', 'c', 'd'].map((name) => order(`Round ${name}`, subtask(name)));
  const { ran, states } = await planned(rounds, 2);
  expect(states).toEqual({ 'orchestrator-1': 'done', a: 'done', 'orchestrator-2': 'done', b: 'done' });
  expect(ran.task.status).toBe('done');
});

it('waits with the next round until a person has answered', async () => {
  const { project, ran, states } = await planned([order('Round one', subtask('first', 'blocked')), done]);
  expect(ran.task.status).toBe('blocked');
  expect(states).toEqual({ 'orchestrator-1': 'done', first: 'blocked' });
  await project.answer('gate-first', 'approved');
  expect((await project.resume()).steps.map(({ step, state }) => [step, state])).toEqual([
    ['orchestrator-1', 'done'],
    ['first', 'done'],
    ['orchestrator-2', 'done'],
  ]);
});

it('a planner without a memory is told the goal in every round', async () => {
  const script = 'cat > asked-$$; n=$(ls asked-* | wc -l); sed -n "${n}p" plans';
  const thinker = { adapter: 'command', command: ['/bin/sh', '-c', script] };
  const project = await TaskProject.created({ thinker });
  project.write(
    'plans',
    `${JSON.stringify(order('Round one', subtask('first')))}\n${JSON.stringify(done)}\n`,
  );
  const goal = { kind: 'goal', goal: 'Reach the top.', agent: 'thinker', maxRounds: 3 } as const;
  const { signal } = new AbortController();
  const ran = await (await project.tasks()).run(project.id, { ...goal, signal });
  expect(ran.task.status).toBe('done');
  for (const round of [1, 2])
    expect(project.text(`agents/orchestrator-${round}/runtime/prompt`)).toContain('Reach the top.');
});
