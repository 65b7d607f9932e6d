import { describe, expect, it } from 'vitest';
import type { Run, Step, StepState } from '../../src/task/run.ts';
import { due, failedSteps, isHeldBack, roundOf } from '../../src/workflow/advance.ts';

const since = '2026-01-01T00:00:00.000Z';

type Short = string | { id: string; kind?: Step['kind']; needs?: string[] };

function step(short: Short): Step {
  const { id, kind = 'work', needs = [] } = typeof short === 'string' ? { id: short } : short;
  return { id, kind, needs, title: id, role: 'r', agent: 'a' };
}

function run(
  steps: readonly Short[],
  states: Record<string, StepState['state']>,
  more: Partial<Run> = {},
): Run {
  return {
    n: 1,
    goal: 'g',
    orders: '{}',
    steps: steps.map(step),
    rounds: [0],
    gates: {},
    startedAt: since,
    states: Object.fromEntries(Object.entries(states).map(([id, state]) => [id, { state, since }])),
    ...more,
  } as Run;
}

/** What is due, in short: `start a`, `finish done`, `plan 2`. */
function told(of: Run, at: { busy?: string[]; slots?: number; only?: string[] } = {}): string[] {
  const { busy = [], slots = 9, only } = at;
  return due(of, { busy: new Set(busy), slots, only: only && new Set(only) }).map((effect) => {
    if ('step' in effect) return `${effect.type} ${effect.step.id}`;
    if (effect.type === 'finish') return `finish ${effect.as}`;
    return effect.type === 'plan' ? `plan ${effect.round}` : effect.type;
  });
}

const gate: Short = { id: 'ok', kind: 'human', needs: ['a'] };
const after = (id: string, ...needs: string[]) => ({ id, needs });
const plan = (id: string) => ({ id, kind: 'plan' as const });
const joined = { joinedAt: since };
const planner = { planner: { rounds: 3 } } as Partial<Run>;

describe('what is due', () => {
  it.each<[string, string[], Run, Parameters<typeof told>[1]?]>([
    ['everything that needs nothing starts', ['start a', 'start b'], run(['a', 'b'], {})],
    ['no more than there are slots', ['start a'], run(['a', 'b'], {}), { slots: 1 }],
    ['nothing without a slot', [], run(['a'], {}), { slots: 0 }],
    ['nothing with fewer slots than none', [], run(['a'], {}), { slots: -1 }],
    ['what is busy is not started again', ['start b'], run(['a', 'b'], {}), { busy: ['a'] }],
    ['nothing while the last one works', [], run(['a'], { a: 'running' }), { busy: ['a'] }],
    ['work that was paid for goes first', ['start b', 'start a'], run(['a', 'b'], { b: 'running' })],
    ['an answered step goes first, too', ['start b', 'start a'], run(['a', 'b'], { b: 'ready' })],
    ['paid work has the one slot', ['start b'], run(['a', 'b'], { b: 'running' }), { slots: 1 }],
    ['a step waits for all of its needs', ['start b'], run(['a', 'b', after('c', 'a', 'b')], { a: 'done' })],
    [
      'it starts when all are done',
      ['start c'],
      run(['a', 'b', after('c', 'a', 'b')], { a: 'done', b: 'done' }),
    ],
    ['a failed need skips it', ['skip b'], run(['a', after('b', 'a')], { a: 'failed' })],
    ['a canceled need skips it', ['skip b'], run(['a', after('b', 'a')], { a: 'canceled' })],
    [
      'nothing is skipped where the first failure stops the run',
      ['finish failed'],
      run(['a', after('b', 'a')], { a: 'failed' }, { stopsAtFailure: true, ...joined }),
    ],
    ['a blocked worker holds back the rest', ['join'], run(['a', 'b'], { a: 'blocked' })],
    ['not what had begun', ['start b'], run(['a', 'b', 'c'], { a: 'blocked', b: 'ready' })],
    [
      'a step that is named starts all the same',
      ['start b'],
      run(['a', 'b'], { a: 'blocked' }),
      { only: ['b'] },
    ],
    ['nobody else starts then', ['start b'], run(['a', 'b'], {}), { only: ['b'] }],
    ['a person is asked when the needs are done', ['ask ok'], run(['a', gate], { a: 'done' })],
    ['nobody is asked before', ['start a'], run(['a', gate], {})],
    ['an answer lets it pass', ['pass ok'], run(['a', gate], { a: 'done', ok: 'ready' })],
    [
      'an open question holds nothing that does not need it',
      ['start b'],
      run(['a', gate, 'b'], { a: 'done', ok: 'blocked' }),
    ],
    [
      'a human step is never started',
      ['finish blocked'],
      run(['a', gate], { a: 'done', ok: 'blocked' }, joined),
      { only: ['ok'] },
    ],
    ['all over: join', ['join'], run(['a'], { a: 'done' })],
    ['joined: done', ['finish done'], run(['a'], { a: 'done' }, joined)],
    ['joined with a failure', ['finish failed'], run(['a', 'b'], { a: 'done', b: 'failed' }, joined)],
    ['joined with a block', ['finish blocked'], run(['a', 'b'], { a: 'done', b: 'blocked' }, joined)],
    [
      'left over where the run stops at a failure, and nothing failed',
      ['finish unfinished'],
      run(['a', after('b', 'a')], { a: 'done' }, { stopsAtFailure: true, ...joined }),
      { only: ['a'] },
    ],
    [
      'left over because a person has to act',
      ['finish blocked'],
      run(['a', after('b', 'a')], { a: 'blocked' }, { stopsAtFailure: true, ...joined }),
      { only: ['none'] },
    ],
    ['the graph says what follows', ['next'], run(['a'], { a: 'done' }, { workflow: 'w' })],
    ['the graph waits for a person', ['finish blocked'], run(['a'], { a: 'blocked' }, { workflow: 'w' })],
    [
      'the planner goes on',
      ['plan 2'],
      run([plan('p'), 'a'], { p: 'done', a: 'done' }, { ...joined, ...planner }),
    ],
    [
      'but not beyond its rounds',
      ['finish done'],
      run([plan('p'), plan('q'), plan('r')], { p: 'done', q: 'done', r: 'done' }, { ...joined, ...planner }),
    ],
    [
      'and not after it failed',
      ['finish failed'],
      run(['a', plan('p')], { a: 'done', p: 'failed' }, { ...joined, ...planner }),
    ],
    ['nor without a planner', ['finish done'], run([plan('p')], { p: 'done' }, joined)],
  ])('%s', (_name, expected, of, at) => expect(told(of, at)).toEqual(expected));

  it('the planner ends the run by its report', () => {
    const of = run([plan('p')], { p: 'done' }, { ...joined, ...planner });
    of.states['p'] = { state: 'done', since, report: { artifacts: { done: true } } };
    expect(told(of)).toEqual(['finish done']);
    of.states['p'] = { state: 'done', since, report: { artifacts: { done: 'yes' } } };
    expect(told(of)).toEqual(['plan 2']);
  });

  it('a skip names what it needed', () => {
    const [effect] = due(run(['a', after('b', 'a')], { a: 'failed' }), { busy: new Set(), slots: 1 });
    expect(effect).toMatchObject({ type: 'skip', reason: 'not started: it needs a, which is failed' });
  });
});

describe('rounds', () => {
  const rounds = { rounds: [0, 2, 4] };
  const steps = ['a', 'b', 'c', 'd', plan('p')];

  it.each([
    ['the failures of the last round of work count', ['d'], { d: 'failed' }],
    ['earlier ones were seen by who ordered that round', [], { a: 'failed', d: 'done' }],
    ['a planner that failed after it counts', ['p'], { a: 'failed', p: 'failed' }],
  ] as const)('%s', (_name, expected, states) => {
    expect(failedSteps(run(steps, states, rounds)).map(({ id }) => id)).toEqual(expected);
  });

  it('a step belongs to the round in which it was ordered', () => {
    const of = run(steps, {}, rounds);
    expect(['a', 'b', 'c', 'd', 'p'].map((id) => roundOf(of, id))).toEqual([0, 0, 1, 1, 2]);
  });

  it('only what has not begun is held back, and only by a worker', () => {
    const of = run(['a', 'b', gate], { a: 'blocked', b: 'ready' });
    expect(of.steps.map((one) => isHeldBack(of, one))).toEqual([false, false, true]);
    expect(isHeldBack(run(['a', 'b', gate], { a: 'done', ok: 'blocked' }), step('b'))).toBe(false);
  });
});
