import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { derived } from '../../../../src/kinds/directory/format/derived.ts';
import { sessionSchema, workerOutputSchema } from '../../../../src/kinds/directory/format/file-schemas.ts';
import { resultOf } from '../../../../src/kinds/directory/format/result.ts';
import type { Step, StepState } from '../../../../src/task/run.ts';
import { Life, success } from './life.ts';

function running(...steps: Parameters<Life['order']>): Life {
  const life = new Life();
  life.start();
  life.order(...steps);
  return life;
}

const session = (life: Life, id: string) => v.parse(sessionSchema, life.json(`agents/${id}/session.json`));
const final = (life: Life, id: string) =>
  v.parse(workerOutputSchema, life.json(`agents/${id}/artifacts/final.json`));

describe('session.json', () => {
  it('has the thread as soon as the vendor has named it, with paths from the folder of the agent', () => {
    const life = running({ id: 'a', cwd: 'web' }, { id: 'b', agent: 'codex-app-server' });
    expect(life.files.has('agents/a/session.json')).toBe(false);
    life.begin('a');
    expect(session(life, 'a')).toEqual({
      adapter: 'codex-exec',
      instance: 'a',
      agent: 'backend',
      state: 'running',
      startedAt: life.task.updatedAt,
      attempts: 1,
      vendorSession: { tool: 'codex', threadId: null, cwd: 'web', codexHome: './codex_home' },
      recording: { events: './runtime/events.jsonl', stderr: './runtime/stderr.log' },
    });
    life.do({ type: 'session', step: 'a', n: 1, session: 'thread-1' });
    expect(session(life, 'a').vendorSession.threadId).toBe('thread-1');
    life.begin('b');
    expect(session(life, 'b').recording.requests).toBe('./runtime/requests.jsonl');
  });

  it('names other vendors, and counts attempts', () => {
    const life = running({ id: 'a', agent: 'my-codex' });
    life.begin('a', 'one');
    life.do({ type: 'end', step: 'a', n: 1, outcome: 'failed' });
    life.begin('a', 'two');
    expect(session(life, 'a')).toMatchObject({
      adapter: 'codex',
      attempts: 2,
      vendorSession: { tool: 'codex', threadId: 'two', cwd: '.' },
    });
  });
});

describe('Fork mode records parent', () => {
  it('from the start, through retries and resumptions', () => {
    const life = running({ id: 'a' }, { id: 'b', session: { kind: 'fork', id: 'thread-a' } });
    life.work('a');
    life.begin('b');
    const fork = { forkedFromThreadId: 'thread-a', codexHome: '../a/codex_home' };
    expect(session(life, 'b').vendorSession).toMatchObject({ ...fork, threadId: null });
    life.do({ type: 'session', step: 'b', n: 1, session: 'thread-b' });
    life.end('b', 'blocked');
    life.ask('b');
    life.do({ type: 'answer', gate: 'gate-b', decision: 'approved' });
    life.begin('b', 'thread-c');
    expect(session(life, 'b').vendorSession).toMatchObject({ ...fork, threadId: 'thread-c' });
  });

  it('also of a session that no worker of this task had', () => {
    const life = running({ id: 'b', session: { kind: 'fork', id: 'elsewhere' } });
    life.begin('b');
    expect(session(life, 'b').vendorSession.forkedFromThreadId).toBe('elsewhere');
    expect(session(life, 'b').vendorSession.codexHome).toBeUndefined();
  });
});

describe('final.json', () => {
  it('is the report, with what the format has no field for among the artifacts', () => {
    const life = running({ id: 'a' });
    life.begin('a');
    expect(life.files.has('agents/a/artifacts/final.json')).toBe(false);
    life.end('a', 'done', {
      ...success,
      artifacts: { branch: 'b', touchedFiles: ['a', 4], diffStat: 3, mine: [1] },
    });
    expect(final(life, 'a')).toEqual({
      status: 'success',
      summary: 'It is done.',
      questions: [],
      nextActions: ['write docs'],
      errors: [],
      artifacts: {
        branch: 'b',
        touchedFiles: ['a'],
        mine: [1],
        changes: success.changes,
        evidence: success.evidence,
      },
    });
  });

  it("says docket's verdict, not the agent's", () => {
    const life = running({ id: 'a' }, { id: 'b' }, { id: 'c' });
    life.begin('a');
    life.end('a', 'failed', success, 'the tests fail');
    expect(final(life, 'a')).toMatchObject({
      status: 'failed',
      summary: 'It is done.',
      errors: ['the tests fail'],
    });
    life.begin('b');
    life.end('b', 'failed', undefined, 'codex was not found');
    expect(final(life, 'b')).toMatchObject({
      status: 'failed',
      summary: 'codex was not found',
      errors: ['codex was not found'],
    });
    life.end('c', 'canceled');
    expect(final(life, 'c')).toMatchObject({
      status: 'failed',
      summary: 'c ended without a report (failed).',
    });
  });

  it('fits the schema whatever the report is', () => {
    const step = { id: 'a' } as Step;
    const keys = 'status summary artifacts questions nextActions errors evidence changes risks'.split(' ');
    const any = fc.oneof(
      fc.jsonValue(),
      fc.array(fc.jsonValue()),
      fc.string({ minLength: 2500, maxLength: 3000 }),
    );
    const report = fc.dictionary(fc.constantFrom(...keys), any);
    const artifacts = fc.dictionary(
      fc.constantFrom('worktreePath', 'branch', 'touchedFiles', 'diffStat', 'x'),
      any,
    );
    const ends = fc.constantFrom('done', 'blocked', 'ready', 'failed', 'canceled');
    fc.assert(
      fc.property(report, fc.option(artifacts), ends, fc.option(fc.string()), (said, more, end, reason) => {
        const all = { ...said, ...(more && { artifacts: more }) };
        const state = { state: end, since: '', report: all, ...(reason !== null && { reason }) } as StepState;
        const written: unknown = JSON.parse(
          JSON.stringify(resultOf(step, { states: { [step.id]: state }, gates: {} })),
        );
        expect(v.is(workerOutputSchema, written)).toBe(true);
      }),
    );
  });
});

it.each([
  ['failed', ['disk full'], ['disk full']],
  ['blocked', [], []],
] as const)('leaves the errors of a worker that says %s itself as they are', (status, errors, written) => {
  const life = running({ id: 'a' });
  life.begin('a');
  life.end('a', status, { status, summary: 'stuck', errors }, ['stuck', ...errors].join('\n'));
  expect(life.json('agents/a/artifacts/final.json')).toMatchObject({ status, errors: written });
});

it('makes no path of a name that is none', () => {
  const life = running({ id: 'a' });
  life.work('a');
  const run = life.task.run!;
  const steps = run.steps.map((step) => ({ ...step, id: '../../x' }));
  const forged = { ...run, steps, states: { '../../x': run.states['a']! } };
  const paths = derived({ ...life.task, run: forged }).map(({ path }) => path);
  expect(paths).toEqual(['README.md', 'shared/evidence/index.json', 'shared/state-board.md']);
});
