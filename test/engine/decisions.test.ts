import { describe, expect, it } from 'vitest';
import type { AgentError } from '../../src/adapters/adapter.ts';
import type { Agent } from '../../src/adapters/agent.ts';
import { fits, heldBack, moneyCap, priceless, type Holds } from '../../src/engine/admission.ts';
import { usageToBook } from '../../src/engine/attempt-budget.ts';
import type { Proved } from '../../src/engine/proving.ts';
import type { Entry, Recorder } from '../../src/engine/recorder.ts';
import { endWell } from '../../src/engine/run-end.ts';
import { outcomeOfAttempt } from '../../src/engine/step-outcome.ts';
import type { StepEnd } from '../../src/engine/step.ts';
import { takesFallback } from '../../src/engine/work-step.ts';
import { Meter } from '../../src/meter/meter.ts';
import type { BlockReason, Task } from '../../src/task/schema.ts';
import { nothingUsed } from '../../src/task/used.ts';
import { scratch } from '../support/scratch.ts';

const reason: BlockReason = { kind: 'scope', text: 'settings were changed', who: 'a person' };

describe('a fallback agent', () => {
  it.each([
    [undefined, true, true],
    [undefined, false, false],
    [reason, true, false],
  ])('with the finding %j and another agent (%s): %s', (found, hasNext, expected) => {
    let asked = 0;
    expect(takesFallback(found, () => ((asked += 1), hasNext))).toBe(expected);
    expect(asked).toBe(found ? 0 : 1); // after a forbidden change the next agent must not even be chosen
  });
});

describe('what a call is booked at', () => {
  const error = (kind: AgentError['class']): { error: AgentError } => ({
    error: { class: kind, message: 'm' },
  });
  const told = { usage: { input: 5, cached: 0, output: 7 } };
  const nothing = { input: 0, cached: 0, output: 0, cost: 0 };
  it.each([
    ['turned away by a limit', error('limit'), { worked: false }, nothing],
    ['turned away by a failing login', error('auth'), { worked: false }, nothing],
    ['turned away by an outage', error('transient'), { worked: false }, nothing],
    ['a limit in the middle of the work', error('limit'), { worked: true }, undefined],
    ['a crash', error('crashed'), { worked: false }, undefined],
    ['a limit after reported usage', { ...error('limit'), ...told }, { worked: false }, told.usage],
    ['success without usage', {}, { worked: true }, undefined],
    ['a free agent', told, { worked: true, free: true }, { ...told.usage, cost: 0 }],
    ['a free agent without usage', {}, { worked: true, free: true }, nothing],
  ])('%s', (_what, turn, about, expected) => {
    expect(usageToBook(turn, { free: false, ...about })).toEqual(expected);
  });
});

describe('what the end of a step makes of it', () => {
  const failed = (kind: AgentError['class'], resetAt?: string): StepEnd => ({
    kind: 'error',
    error: { class: kind, message: 'm', ...(resetAt !== undefined && { resetAt }) },
  });
  const report = (status: 'success' | 'blocked' | 'failed', more: object = {}): StepEnd => ({
    kind: 'report',
    report: { status, summary: 's', questions: [], errors: [], ...more } as never,
  });
  it.each<[StepEnd, object]>([
    [failed('auth'), { state: 'blocked', reason: 'auth: m' }],
    [failed('limit', '2026-01-01'), { state: 'blocked', reason: 'limit: m (until 2026-01-01)' }],
    ...(['crashed', 'timeout', 'stall', 'transient', 'tooling', 'unknown'] as const).map(
      (kind): [StepEnd, object] => [failed(kind), { state: 'failed', reason: `${kind}: m` }],
    ),
    [{ kind: 'stopped' }, { state: 'stopped' }],
    [{ kind: 'silent', problem: 'p' }, { state: 'failed' }],
    [report('success'), { state: 'done', summary: 's' }],
    [report('blocked'), { state: 'blocked', reason: 's' }],
    [report('blocked', { questions: ['q?', 'r?'] }), { state: 'blocked', reason: 'q? (+1 more)' }],
    [report('failed', { errors: ['e'] }), { state: 'failed', reason: 's\ne' }],
  ])('%j: %j', (end, expected) => expect(outcomeOfAttempt(end)).toMatchObject(expected));
});

describe('the end of a run that went well', () => {
  async function ended(verdict: Proved, more: { back?: string; abort?: boolean } = {}) {
    const written: Entry[] = [];
    const stop = new AbortController();
    const recorder = { task: {} as Task, write: async (...all: Entry[]) => void written.push(...all) };
    const prove = {
      prove: async () => {
        if (more.abort) stop.abort();
        return verdict;
      },
      back: () => more.back,
    };
    const facts = async (): Promise<Entry[]> => [
      { type: 'settle', verdict: { kind: 'pass' }, summary: 'ok' },
    ];
    const options = {
      recorder: recorder as unknown as Recorder,
      env: async () => ({}),
      notes: async () => undefined,
      signal: stop.signal,
    };
    const isOver = await endWell(facts, { ...options, prove: prove as never });
    return { isOver, written };
  }
  const retry: Proved = { kind: 'retry', reason: 'npm test failed' };

  it('is written down when it is proved', async () => {
    expect(await ended({ kind: 'pass' })).toMatchObject({ isOver: true, written: [{ type: 'settle' }] });
  });

  it.each<[string, Proved]>([
    ['passed', { kind: 'pass' }],
    ['failed', { kind: 'fail', reason: 'no' }],
    ['is to be repeated', retry],
  ])('is left open when docket is interrupted while the proof %s', async (_what, verdict) => {
    expect(await ended(verdict, { abort: true, back: 'work' })).toEqual({ isOver: false, written: [] });
  });

  it('goes back to the step that can fix it, with what failed', async () => {
    const { isOver, written } = await ended(retry, { back: 'work' });
    expect(isOver).toBe(false);
    expect(written).toMatchObject([
      { type: 'redo', step: 'work', told: expect.stringContaining('npm test') },
    ]);
  });

  it('is judged as it is when no step can fix it', async () => {
    expect(await ended(retry)).toMatchObject({ isOver: true, written: [{ type: 'settle', verdict: retry }] });
  });
});

describe('caps', () => {
  const agent = { name: 'codex', provider: 'openai', adapter: { capabilities: {} } } as unknown as Agent;
  const holds = (budgets: Holds['budgets'], day: Holds['day'] = []): Holds => ({
    meter: new Meter(scratch(), () => 0),
    here: { root: '/' },
    budgets,
    day,
    standIns: async () => [],
  });
  const asking = (used: object, own?: object, open = 0) => {
    const attempts = Object.fromEntries(
      Array.from({ length: open }, (_, n) => [`s${n}`, { n: 1, open: { mark: `m${n}`, n: 1 } }]),
    );
    const task = { id: 't', extras: {}, spec: { budget: own }, used: { ...nothingUsed, ...used }, attempts };
    return {
      step: 'work',
      agent,
      mark: 'mine',
      begun: false,
      task: () => task as unknown as Task,
      signal: new AbortController().signal,
    };
  };

  it.each<[string, object | undefined, object | undefined, object, boolean]>([
    ['the project holds what has no budget of its own', { calls: 2 }, undefined, { calls: 2 }, false],
    ['a task may have more than the project gives', { calls: 2 }, { calls: 9 }, { calls: 5 }, true],
    ['or less', { calls: 9 }, { calls: 2 }, { calls: 5 }, false],
    ['unit by unit', { calls: 2 }, { tokens: 100 }, { calls: 2 }, false],
    ['nothing holds what nobody capped', undefined, undefined, { calls: 1000 }, true],
  ])('%s', (_what, project, own, used, expected) => {
    const budgets = project ? { task: project } : {};
    expect(fits(holds(budgets), asking(used, own))).toBe(expected);
  });

  it('name whose they are', async () => {
    const own = await heldBack(holds({ task: { calls: 9 } }), asking({ calls: 2 }, { calls: 2 }));
    expect(own).toMatchObject({
      kind: 'budget',
      who: 'a person',
      cap: { scope: 'own', unit: 'calls', used: 2 },
    });
    const project = await heldBack(holds({ task: { calls: 2 } }), asking({ calls: 2 }));
    expect(project).toMatchObject({ cap: { scope: 'task', unit: 'calls' } });
    const user = await heldBack(holds({}, [{ scope: 'user.day', caps: { calls: 0 } }]), asking({}));
    expect(user).toMatchObject({
      cap: { scope: 'user.day' },
      text: expect.stringContaining('--user day.calls'),
    });
    expect(await heldBack(holds({}), asking({ calls: 99 }))).toBeUndefined();
  });

  it.each([
    [{ money: 1 }, { task: { money: 2 } }, 'own'],
    [undefined, { attempt: { money: 1 }, task: { money: 2 } }, 'attempt'],
    [undefined, { task: { calls: 2 } }, 'day'],
    [{ calls: 1 }, {}, 'day'],
  ] as const)('on money: own %j, project %j: %s', (own, budgets, expected) => {
    expect(moneyCap(budgets, [{ scope: 'day', caps: { money: 1 } }], own)).toBe(expected);
  });

  it.each<[string, Partial<Agent>, Holds['budgets'], boolean]>([
    ['an unknown price under a money cap', {}, { task: { money: 1 } }, true],
    ['no money cap', {}, { task: { calls: 1 } }, false],
    ['allowed by the settings', {}, { task: { money: 1 }, unknownPrice: 'allow' }, false],
    ['a free agent', { free: true }, { task: { money: 1 } }, false],
    ['a known price', { price: { input: 1, output: 1 } }, { task: { money: 1 } }, false],
  ])('%s', (_what, more, budgets, isHeld) => {
    expect(priceless(holds(budgets), { ...agent, ...more }, undefined) !== undefined).toBe(isHeld);
  });
});
