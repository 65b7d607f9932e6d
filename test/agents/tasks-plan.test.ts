import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { planSchemaStrict } from '../../src/kinds/directory/format/plan.ts';
import { subtask } from '../support/task-project.ts';
import { hands, realCodex, talkOf, vendorOf } from './real-codex.ts';

/** A planner's answer with every field, as strict output has it. */
const plan = { done: false, summary: null, sessionGoal: null, tasks: null };
const done = { ...plan, done: true, summary: 'All is found.' };

function ordered(taskId: string, adapter: string): object {
  const { items } = (planSchemaStrict['properties'] as { tasks: { items: { required: string[] } } }).tasks;
  const nothing = Object.fromEntries(items.required.map((name) => [name, null]));
  return { ...nothing, ...subtask(taskId, taskId, { adapter }) };
}

it('codex plans: held to the schema, corrected once, and told what came of it', async () => {
  const order = { ...plan, sessionGoal: 'Find the word', tasks: [ordered('first', 'codex-exec')] };
  const { project, model } = await realCodex(() => ({
    goal: [{ structured: { ...order, tasks: [ordered('first', 'codexx')] } }, { structured: order }],
    first: [hands('The word is plum. [[found]]')],
    found: [{ structured: done }],
  }));
  const ran = await project.plan('Find it. [[goal]]', 3);
  expect(ran.steps.map(({ step, state }) => [step, state])).toEqual([
    ['orchestrator-1', 'done'],
    ['first', 'done'],
    ['orchestrator-2', 'done'],
  ]);
  expect(ran.task.status).toBe('done');
  const asked = model.requests.filter(({ name }) => name !== 'first');
  expect(asked.map(({ schema, strict }) => [schema, strict])).toEqual(
    Array.from({ length: 3 }, () => [planSchemaStrict, true]),
  );
  expect(asked.map(({ turns }) => turns.at(-1)?.text)).toEqual([
    expect.stringContaining('Find it.'),
    expect.stringMatching(/\$\.tasks\[0\]\.adapter[^]*codexx/),
    expect.stringMatching(/Find it\.[^]*The word is plum\./),
  ]);
  expect(vendorOf(project, 'orchestrator-2').threadId).toBe(vendorOf(project, 'orchestrator-1').threadId);
});

it('a planner goes on with another goal, also where its conversation is gone', async () => {
  const { project, model } = await realCodex(() => ({
    one: [{ structured: done }],
    two: [{ structured: done }],
    three: [{ structured: done }],
  }));
  await project.plan('First this. [[one]]', 1);
  await project.plan('Then that. [[two]]', 1);
  expect(model.requests.at(-1)?.seen).toEqual(['one', 'two']);
  // As in a task directory that was brought here from elsewhere: homes do not come along.
  fs.rmSync(path.join(project.dir, 'agents/orchestrator-1/codex_home'), { recursive: true });
  const ran = await project.plan('At last the rest. [[three]]', 1);
  expect(ran.task.status).toBe('done');
  expect(model.requests.at(-1)?.seen).toEqual(['three']);
  expect(talkOf(model, 'three')).toContain('You plan work that other agents do.');
});
