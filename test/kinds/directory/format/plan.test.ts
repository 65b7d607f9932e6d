import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { subtaskFields } from '../../../../src/kinds/directory/format/action-fields.ts';
import { actionsSchema } from '../../../../src/kinds/directory/format/actions-schema.ts';
import {
  nextPlanPrompt,
  type PlanInput,
  planPrompt,
  planSchemaStrict,
  readPlan,
  repairPlanPrompt,
} from '../../../../src/kinds/directory/format/plan.ts';
import { actions, known, subtask } from './actions-support.ts';

const plain = actions(subtask('a'));
const asActions = { plan: { kind: 'actions', actions: plain } };

type Schema = {
  properties?: Record<string, Schema>;
  items?: Schema;
  required?: string[];
  additionalProperties?: unknown;
};
const objectsIn = (schema: Schema): Schema[] => {
  const inner = [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : [])];
  return [...(schema.properties ? [schema] : []), ...inner.flatMap(objectsIn)];
};
/** A subtask as a vendor with strict output writes it: every field is there. */
const strictSubtask = (more: Record<string, unknown>) => ({
  ...Object.fromEntries(Object.keys(subtaskFields).map((key) => [key, null])),
  ...more,
});

describe('the strict schema of a plan', () => {
  it('leaves no room: all is required, nothing more is allowed', () => {
    const objects = objectsIn(planSchemaStrict);
    expect(objects).toHaveLength(2);
    for (const { properties, required, additionalProperties } of objects) {
      expect(required).toEqual(Object.keys(properties ?? {}));
      expect(additionalProperties).toBe(false);
    }
  });

  it('has the fields of actions, and those of its own', () => {
    const [plan, task] = objectsIn(planSchemaStrict);
    expect(Object.keys(plan?.properties ?? {})).toEqual([
      'done',
      'summary',
      ...Object.keys(actionsSchema.entries),
    ]);
    // A packet is people's to order: docket itself runs its commands.
    const { packet: _, ...shape } = actionsSchema.entries.tasks.item.entries;
    expect(Object.keys(task?.properties ?? {})).toEqual(Object.keys(shape));
    expect(Object.keys(shape)).toEqual(Object.keys(subtaskFields));
  });

  it('orders no packet', () => {
    const read = readPlan(JSON.stringify(actions({ ...subtask('a'), packet: 'safe_impl' })), known);
    expect(read).toEqual({ problem: expect.stringContaining('$.tasks[0].packet') as string });
  });

  it('what it allows can be read', () => {
    const valid = new Ajv({ strict: false }).compile(planSchemaStrict);
    const next = { done: false, summary: null, sessionGoal: 'Mend it', tasks: [strictSubtask(subtask('a'))] };
    const done = { done: true, summary: 'All is well.', sessionGoal: null, tasks: null };
    expect([valid(next), valid(done), valid(plain)]).toEqual([true, true, false]);
    expect(readPlan(next, known)).toEqual(asActions);
    expect(readPlan(done, known)).toEqual({ plan: { kind: 'done', summary: 'All is well.' } });
  });
});

describe('readPlan', () => {
  it.each([
    ['JSON alone', JSON.stringify(plain)],
    ['an object', plain],
    ['words and a fence', `Next:\n\`\`\`json\n${JSON.stringify(plain)}\n\`\`\``],
    [
      'empty optional fields',
      { ...actions(subtask('a', { cwd: '', model: '', agentInstance: null })), summary: 'x' },
    ],
  ])('takes actions from %s', (_, answer) => {
    expect(readPlan(answer, known)).toEqual(asActions);
  });

  it.each([
    ['an object', { done: true, summary: ' ok ' }],
    ['words around', 'I am done.\n{"done": true, "summary": "ok"}\nBye.'],
    ['empty tasks beside it', { done: true, summary: 'ok', sessionGoal: '', tasks: [] }],
  ])('takes done from %s', (_, answer) => {
    expect(readPlan(answer, known)).toEqual({ plan: { kind: 'done', summary: 'ok' } });
  });

  it.each([
    ['nothing', '', 'holds no actions'],
    ['no JSON', 'All good!', 'holds no actions'],
    ['a list', [plain], '$: must be a JSON object'],
    ['null', null, '$: must be a JSON object'],
    ['done without a summary', { done: true, summary: '  ' }, '$.summary: is missing'],
    ['done and tasks', { ...plain, done: true, summary: 'x' }, 'it is one or the other'],
    ['neither', { done: false }, '$.tasks: is required'],
    ['done as a word', { ...plain, done: 'yes' }, '$.done: must be true or false'],
    ['a taken name', actions(subtask('old')), '$.tasks[0].taskId: the task has a subtask "old"'],
    ['a bad adapter', actions(subtask('a', { adapter: 'codx-exec' })), 'did you mean "codex-exec"?'],
  ])('says what is wrong with %s', (_, answer, problem) => {
    expect(readPlan(answer, { ...known, steps: ['old'] })).toEqual({
      problem: expect.stringContaining(problem) as string,
    });
  });

  it('tells all problems, and no flood of them', () => {
    const read = readPlan(actions(...Array.from({ length: 900 }, () => subtask('../x'))), known);
    const lines = 'problem' in read ? read.problem.split('\n') : [];
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toMatch(/^… and \d+ more$/);
  });
});

describe('the planner is told', () => {
  const input: PlanInput = {
    goal: 'Make it fast',
    description: 'The start takes a second.',
    round: 1,
    maxRounds: 3,
    agents: ['claude'],
    limits: { maxConcurrentAgents: 3, timeoutSeconds: 3600 },
    milestones: [{ id: 'm2', title: 'Measure', state: 'pending', dependsOn: ['m1'] }],
    taken: [],
    sessions: [],
  };
  const later = {
    ...input,
    round: 3,
    taken: ['a', 'b'],
    sessions: [{ step: 'a', id: 'thr-1' }],
    joined: 'a: done',
    notes: 'No new packages',
  };

  it('the goal, every field, and who there is', () => {
    const prompt = planPrompt(input);
    for (const part of [
      'Make it fast',
      'The start takes',
      'round 1 of at most 3',
      'codex-exec, codex-app-server, claude',
      'after m1',
      '"done": true',
    ]) {
      expect(prompt).toContain(part);
    }
    for (const name of Object.keys(subtaskFields)) expect(prompt).toContain(`- ${name}:`);
    expect(prompt).toContain('nothing can be forked yet');
    expect(prompt).not.toContain('## Results');
  });

  it('in later rounds the goal, which may be another, what came of it, what is taken and what can be forked', () => {
    const prompt = nextPlanPrompt(later);
    for (const part of [
      'Make it fast',
      'It is the last one',
      'a: done',
      'No new packages',
      'a, b',
      'thr-1 (a)',
      '"done": true',
    ]) {
      expect(prompt).toContain(part);
    }
  });

  it('by prompts that are no plan when they are repeated', () => {
    for (const prompt of [planPrompt(input), nextPlanPrompt(later), repairPlanPrompt('x')]) {
      expect(readPlan(prompt, known)).toHaveProperty('problem');
    }
  });

  it('no more of long texts than it can read', () => {
    expect(nextPlanPrompt({ ...later, joined: 'x'.repeat(1_000_000) }).length).toBeLessThan(70_000);
    expect(repairPlanPrompt('x'.repeat(1_000_000)).length).toBeLessThan(10_000);
  });
});
