import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import {
  compileActions,
  type CompileFor,
  type Compiled,
} from '../../../../src/kinds/directory/format/compile.ts';
import type { Problem } from '../../../../src/schema/problem.ts';
import { stepSchema, type Step, type StepState } from '../../../../src/task/run.ts';
import { actions, read, subtask } from './actions-support.ts';

const milestone = (id: string, dependsOn: string[] = [], state = 'pending') => ({
  id,
  title: id.toUpperCase(),
  state,
  dependsOn,
});
const gate = (of: string, state = 'open') => ({ id: `gate-${of}`, type: 'milestone-gate', state });
const swarm: CompileFor = { topology: 'swarm', milestones: [], gates: [], roster: [], steps: [], states: {} };
const squad = (...milestones: CompileFor['milestones'][number][]): CompileFor => ({
  ...swarm,
  topology: 'squad',
  milestones,
});
const over = (state: StepState['state']): StepState => ({ state, since: '2026-01-01T00:00:00Z' });

function compile(tasks: unknown[], task: CompileFor, known = {}): Compiled {
  const compiled = compileActions(
    read(actions(...tasks), { milestones: ['m1', 'm2', 'm3'], ...known }),
    task,
  );
  if ('problems' in compiled) throw new Error(JSON.stringify(compiled.problems));
  for (const step of compiled.steps) expect(v.parse(stepSchema, step)).toEqual(step);
  return compiled;
}

function problems(tasks: unknown[], task: CompileFor, known = {}): Problem[] {
  const compiled = compileActions(
    read(actions(...tasks), { milestones: ['m1', 'm2', 'm3'], ...known }),
    task,
  );
  return 'problems' in compiled ? compiled.problems : [];
}

const needs = ({ steps }: Compiled) => Object.fromEntries(steps.map((step) => [step.id, step.needs]));
const step = (id: string, more: Partial<Step> = {}): Step => ({
  id,
  kind: 'work',
  title: id,
  role: 'r',
  agent: 'codex-exec',
  needs: [],
  ...more,
});
const m = (id: string, of: string, more = {}) => subtask(id, { milestone: of, ...more });

describe('a swarm', () => {
  it('is steps that all may begin at once, with their prompts beside them', () => {
    expect(compile([subtask('a'), subtask('b')], swarm)).toEqual({
      goal: 'Mend it',
      steps: [step('a', { title: 'Do a', role: 'worker' }), step('b', { title: 'Do b', role: 'worker' })],
      orders: { a: 'Please do a.', b: 'Please do b.' },
    });
  });

  it('knows steps by their instance, also where they need each other', () => {
    const tasks = [subtask('a', { agentInstance: 'a-1' }), subtask('b', { needs: ['a', 'old', 'a'] })];
    const compiled = compile(tasks, swarm, { steps: ['old'] });
    expect(needs(compiled)).toEqual({ 'a-1': [], b: ['a-1', 'old'] });
    expect(Object.keys(compiled.orders)).toEqual(['a-1', 'b']);
  });

  it('carries what was said about a subtask', () => {
    const more = {
      mode: 'fork',
      forkedFromThreadId: 't1',
      cwd: 'sub',
      model: 'x',
      timeoutSeconds: 5,
      retries: 2,
      outputSchemaPath: './own.json',
    };
    expect(compile([subtask('a', more)], swarm).steps[0]).toMatchObject({
      session: { kind: 'fork', id: 't1' },
      cwd: 'sub',
      model: 'x',
      seconds: 5,
      retries: 2,
      outputSchema: 'own.json',
    });
  });

  it('forks only where that is asked for, and takes the default schema for none', () => {
    const more = {
      forkedFromThreadId: 't1',
      cwd: '',
      outputSchemaPath: './schemas/worker-output.schema.json',
    };
    const [made] = compile([subtask('a', more)], swarm).steps;
    expect(Object.keys(made!).toSorted()).toEqual(['agent', 'id', 'kind', 'needs', 'role', 'title']);
  });

  it('leaves milestones alone', () => {
    const task = { ...squad(milestone('m1'), milestone('m2', ['m1'])), gates: [gate('m1')] };
    const compiled = compile([m('a', 'm1'), m('b', 'm2')], { ...task, topology: 'swarm' });
    expect(needs(compiled)).toEqual({ a: [], b: [] });
    expect(compiled.steps[0]).not.toHaveProperty('milestone');
  });
});

describe('a squad', () => {
  const layers = squad(milestone('m1'), milestone('m2', ['m1']), milestone('m3', ['m2']));

  it('holds a layer until all of the one before it is done', () => {
    const tasks = [
      m('c', 'm3'),
      m('a', 'm1'),
      m('b1', 'm2'),
      m('b2', 'm2', { needs: ['b1'] }),
      subtask('free'),
    ];
    expect(needs(compile(tasks, layers))).toEqual({
      a: [],
      b1: ['a'],
      b2: ['b1', 'a'],
      c: ['b1', 'b2'],
      free: [],
    });
  });

  it('takes the milestone from the roster where the subtask names none', () => {
    const roster = [
      { instance: 'b', assignedMilestone: 'm2' },
      { instance: 'x', assignedMilestone: null },
    ];
    const compiled = compile([m('a', 'm1'), subtask('b'), subtask('x')], { ...layers, roster });
    expect(needs(compiled)).toEqual({ a: [], b: ['a'], x: [] });
    expect(compiled.steps[1]?.milestone).toBe('m2');
  });

  it('looks through a layer without steps', () => {
    expect(needs(compile([m('a', 'm1'), m('c', 'm3')], layers))).toEqual({ a: [], c: ['a'] });
  });

  it('asks a person between two layers where there is a gate', () => {
    const compiled = compile([m('a1', 'm1'), m('a2', 'm1'), m('b', 'm2')], {
      ...layers,
      gates: [gate('m1')],
    });
    expect(needs(compiled)).toEqual({ a1: [], a2: [], b: ['gate-m1'], 'gate-m1': ['a1', 'a2'] });
    expect(compiled.steps.at(-1)).toMatchObject({
      kind: 'human',
      title: 'Approve milestone M1',
      milestone: 'm1',
    });
    expect(compiled.orders).not.toHaveProperty('gate-m1');
  });

  it('asks with the reason that a person wrote at the gate', () => {
    const gates = [{ ...gate('m1'), reason: 'Is the schema right?' }];
    const compiled = compile([m('a', 'm1')], { ...layers, gates });
    expect(compiled.steps.at(-1)).toMatchObject({ kind: 'human', title: 'Is the schema right?' });
  });

  it('asks at the gate of the last layer, and of one without steps', () => {
    expect(needs(compile([m('a', 'm1')], { ...layers, gates: [gate('m1')] }))).toHaveProperty('gate-m1', [
      'a',
    ]);
    const through = compile([m('a', 'm1'), m('c', 'm3')], { ...layers, gates: [gate('m1'), gate('m2')] });
    expect(needs(through)).toEqual({ a: [], c: ['gate-m2'], 'gate-m1': ['a'], 'gate-m2': ['gate-m1'] });
  });

  it('asks at no gate that nobody comes to, or that is of another kind', () => {
    const gates = [gate('m3'), { ...gate('m1'), type: 'human-approval' }];
    expect(needs(compile([m('a', 'm1'), m('b', 'm2')], { ...layers, gates }))).toEqual({ a: [], b: ['a'] });
  });

  it('is not held by what is done', () => {
    const done = squad(milestone('m1', [], 'done'), milestone('m2', ['m1']));
    expect(needs(compile([m('b', 'm2')], { ...done, gates: [gate('m1')] }))).toEqual({ b: [] });
    const old = { steps: [step('a', { milestone: 'm1' })], states: { a: over('done') } };
    expect(needs(compile([m('b', 'm2')], { ...layers, ...old }))).toEqual({ b: [] });
    expect(needs(compile([m('b', 'm2')], { ...layers, gates: [gate('m1', 'approved')], ...old }))).toEqual({
      b: [],
    });
  });

  it('waits for what is left of an earlier round', () => {
    const old = [step('a1', { milestone: 'm1' }), step('a2', { milestone: 'm1' })];
    const states = { a1: over('done'), a2: over('running') };
    expect(needs(compile([m('b', 'm2')], { ...layers, steps: old, states }))).toEqual({ b: ['a2'] });
  });

  it('waits for the second try of a layer, not for the first, which failed', () => {
    const failed = { steps: [step('a', { milestone: 'm1' })], states: { a: over('failed') } };
    expect(needs(compile([m('a2', 'm1'), m('b', 'm2')], { ...layers, ...failed }))).toEqual({
      a2: [],
      b: ['a2'],
    });
    expect(problems([m('b', 'm2')], { ...layers, ...failed })).toEqual([
      {
        path: '$.tasks',
        message: 'nothing of milestone "m1" was done, and the next one waits for it',
        fix: expect.stringContaining('order new subtasks') as string,
      },
    ]);
  });

  it('asks at a gate once, and takes the answer as it was', () => {
    const human = step('gate-m1', { kind: 'human', milestone: 'm1' });
    const asked = (state?: StepState['state']): CompileFor => ({
      ...layers,
      gates: [gate('m1')],
      steps: [step('a', { milestone: 'm1' }), human],
      states: { a: over('done'), ...(state && { 'gate-m1': over(state) }) },
    });
    expect(needs(compile([m('b', 'm2')], asked()))).toEqual({ b: ['gate-m1'] });
    expect(needs(compile([m('b', 'm2')], asked('done')))).toEqual({ b: [] });
    expect(problems([m('b', 'm2')], asked('failed'))[0]?.message).toContain('"gate-m1" was rejected');
    expect(needs(compile([m('a2', 'm1')], asked('failed')))).toEqual({ a2: [] });
    expect(needs(compile([m('a2', 'm1'), m('b', 'm2')], asked()))).toEqual({ a2: [], b: ['a2', 'gate-m1'] });
  });

  it.each([
    [
      'a milestone that waits for itself',
      squad(milestone('m1', ['m1'])),
      'task.yaml milestones[0].dependsOn',
      '"m1" waits for itself',
    ],
    [
      'a cycle',
      squad(milestone('m1', ['m2']), milestone('m2', ['m1'])),
      'task.yaml milestones[0].dependsOn',
      '"m1" → "m2" → "m1"',
    ],
    [
      'an unknown one',
      squad(milestone('m1', ['m9'])),
      'task.yaml milestones[0].dependsOn',
      'no milestone "m9"',
    ],
    [
      'an id that is no name',
      squad(milestone('m1'), milestone('../m')),
      'task.yaml milestones[1].id',
      '"../m" cannot',
    ],
    ['one that is gone', squad(milestone('m2')), '$.tasks[0].milestone', 'no milestone "m1"'],
    [
      'the name of a gate',
      { ...squad(milestone('m1')), gates: [gate('A')] },
      '$.tasks[0]',
      'gate of a milestone',
    ],
  ])('refuses %s', (_, task, path, message) => {
    expect(problems([m('a', 'm1')], task)).toContainEqual({
      path,
      message: expect.stringContaining(message) as string,
      fix: expect.any(String) as string,
    });
  });

  it('refuses needs against the order of the milestones', () => {
    const [problem] = problems([m('a', 'm1', { needs: ['b'] }), m('b', 'm2')], layers);
    expect(problem).toMatchObject({
      path: '$.tasks[0].needs',
      message: expect.stringContaining('"a" → "b" → "a"') as string,
    });
  });

  it('is compiled without a deep stack', () => {
    const ids = Array.from({ length: 20_000 }, (_, n) => `n${n}`);
    const chain = squad(...ids.map((id, n) => milestone(id, n === 0 ? [] : [`n${n - 1}`])));
    const tasks = [m('a', 'n0'), m('z', 'n19999')];
    expect(needs(compile(tasks, chain, { milestones: ids }))).toEqual({ a: [], z: ['a'] });
  });
});
