import { describe, expect, it } from 'vitest';
import { errorClasses } from '../../src/adapters/adapter.ts';
import { emptyTurn } from '../../src/adapters/fold.ts';
import { answerOf } from '../../src/engine/contract.ts';
import { outcomeForTask, type Seen } from '../../src/engine/step-outcome.ts';
import type { StepEnd } from '../../src/engine/step.ts';
import { reportFrom } from '../../src/report/parse.ts';

const seen: Seen = { readOnly: false, change: undefined, evidence: 'report.json' };
const reported = (value: object): StepEnd => {
  const parsed = reportFrom({ summary: 'what I did', ...value });
  if (!('report' in parsed)) throw new Error(parsed.problem);
  return { kind: 'report', report: parsed.report };
};

describe('what an end means for its task', () => {
  it('is done only when the agent says so and the tree does not disagree', () => {
    expect(outcomeForTask(reported({ status: 'success' }), seen)).toEqual({
      kind: 'settle',
      verdict: { kind: 'pass', evidence: ['report.json'] },
      summary: 'what I did',
    });
    const change = { paths: [], committed: false, switched: { from: 'main', to: 'other' } };
    expect(outcomeForTask(reported({ status: 'success' }), { ...seen, change })).toMatchObject({
      verdict: {
        kind: 'hold',
        reason: {
          kind: 'conflict',
          text: expect.stringContaining('git switch main') as string,
          who: 'a person',
        },
      },
    });
  });

  it.each([
    [false, 'the folder it worked in is gone: /x was deleted'],
    [true, '/x is no git work tree any more'],
  ])('says that the work tree is gone (its folder is there: %s)', (isThere, text) => {
    const change = { paths: [], committed: false, gone: { folder: '/x', branch: 'b', isThere } };
    expect(outcomeForTask(reported({ status: 'success' }), { ...seen, change })).toMatchObject({
      verdict: { kind: 'hold', reason: { kind: 'crash', text: expect.stringContaining(text) as string } },
    });
  });

  it('holds an agent to reading', () => {
    const change = { paths: ['a.txt'], committed: false };
    expect(
      outcomeForTask(reported({ status: 'success' }), { ...seen, readOnly: true, change }),
    ).toMatchObject({
      verdict: { kind: 'hold', reason: { kind: 'scope', text: expect.stringContaining('a.txt') as string } },
    });
    expect(outcomeForTask(reported({ status: 'success' }), { ...seen, change })).toMatchObject({
      verdict: { kind: 'pass' },
    });
  });

  it('is a question for a person when the agent is blocked or gave no report', () => {
    expect(outcomeForTask(reported({ status: 'blocked', questions: ['which port?'] }), seen)).toMatchObject({
      verdict: { kind: 'hold', reason: { kind: 'gate', text: 'what I did\nwhich port?' } },
    });
    const silent: StepEnd = { kind: 'silent', problem: 'status is missing' };
    expect(outcomeForTask(silent, seen)).toMatchObject({
      verdict: {
        kind: 'hold',
        reason: { kind: 'verify', text: expect.stringContaining('status is missing') as string },
      },
    });
  });

  it('is failed when the agent failed, and queued again when we stopped it', () => {
    expect(outcomeForTask(reported({ status: 'failed', errors: ['no way'] }), seen)).toMatchObject({
      verdict: { kind: 'fail', reason: 'what I did\nno way' },
    });
    expect(outcomeForTask({ kind: 'stopped' }, seen)).toMatchObject({ kind: 'requeue' });
  });

  it('of an error follows from its class', () => {
    const verdicts = errorClasses.map((kind) => {
      const end: StepEnd = { kind: 'error', error: { class: kind, message: 'x' } };
      const outcome = outcomeForTask(end, seen);
      if (outcome.kind !== 'settle') throw new Error(outcome.kind);
      const { verdict } = outcome;
      return `${kind}: ${verdict.kind === 'hold' ? `${verdict.reason.kind} (${verdict.reason.who})` : verdict.kind}`;
    });
    expect(verdicts).toEqual([
      'transient: provider (a person)',
      'limit: limit (a person)',
      'auth: auth (a person)',
      'prompt-too-large: provider (a person)',
      'refused: refused (a person)',
      'tooling: setup (a person)',
      'timeout: fail',
      'stall: stall (a person)',
      'crashed: crash (a person)',
      'unknown: fail',
    ]);
  });

  it('of a limit with an end waits by itself', () => {
    const error = { class: 'limit', message: 'later', resetAt: '2026-03-01T19:00:00.000Z' } as const;
    expect(outcomeForTask({ kind: 'error', error }, seen)).toMatchObject({
      verdict: { reason: { kind: 'limit', who: 'docket', resumesAt: '2026-03-01T19:00:00.000Z' } },
    });
  });
});

describe('the report in an answer', () => {
  const turn = (fields: object) => ({ ...emptyTurn(), ...fields });

  it('is never guessed', () => {
    expect(answerOf(turn({ text: 'All done, trust me.' }), false)).toHaveProperty('problem');
    expect(answerOf(turn({ structured: { status: 'great' } }), false)).toHaveProperty('problem');
    expect(answerOf(turn({}), false)).toEqual({ problem: 'there was no answer' });
  });

  it('of a plain program is what it printed, unless it reported properly', () => {
    const structured = { status: 'failed', summary: 'no' };
    expect(answerOf(turn({ structured, text: 'x' }), true)).toMatchObject({ report: { status: 'failed' } });
    expect(answerOf(turn({ structured: { status: 'failed' }, text: 'x' }), true)).toHaveProperty('problem');
    expect(answerOf(turn({ text: 'did it' }), true)).toMatchObject({
      report: { status: 'success', summary: 'did it' },
    });
    const long = answerOf(turn({ text: `${'x'.repeat(5000)}END` }), true);
    expect('report' in long && long.report.summary).toMatch(/^…x+END$/);
    expect('report' in long && long.report.summary.length).toBe(2000);
  });
});
