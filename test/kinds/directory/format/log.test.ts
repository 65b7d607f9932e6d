import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { eventSchema } from '../../../../src/kinds/directory/format/file-schemas.ts';
import { log } from '../../../../src/kinds/directory/format/log.ts';
import type { Json } from '../../../../src/task/json.ts';
import { newEventSchema, type Event, type NewEvent } from '../../../../src/task/schema.ts';
import { commandTypes, rightful } from '../../../task/commands.ts';
import { World } from '../../../task/world.ts';
import { Life } from './life.ts';

const at = '2026-03-01T00:00:00.000Z';
const stamp = { v: 1, seq: 7, at } as const;
const text = fc.string({ minLength: 1, unit: 'binary' });
const name = fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/);
const about = { taskId: fc.constant('t'), by: text };

/** Facts whose words or payload are not simply the core's. */
const odd = fc.oneof(
  fc.record({
    ...about,
    type: fc.constant('attempt.started'),
    data: fc.record({
      n: fc.integer({ min: 1 }),
      step: name,
      agent: fc.oneof(text, fc.constantFrom('codex-exec', 'codex-app-server')),
      adapter: fc.constantFrom('codex', 'codex-exec', 'claude'),
      mark: name,
    }),
  }),
  fc.record({
    ...about,
    type: fc.constant('attempt.ended'),
    data: fc.record({
      n: fc.integer({ min: 1 }),
      step: name,
      outcome: fc.constant('ok'),
      report: fc.dictionary(text, fc.jsonValue()),
    }),
  }),
  fc.record({
    ...about,
    type: fc.constant('step.ended'),
    data: fc.record({
      step: name,
      state: fc.constantFrom('done', 'failed', 'blocked', 'canceled'),
      reason: text,
    }),
  }),
  fc.record({
    ...about,
    type: fc.constant('gate.opened'),
    data: fc.record({ gate: name, kind: fc.constant('human-approval'), reason: text }),
  }),
  fc.record({
    ...about,
    type: fc.constant('note'),
    data: fc.record({ type: text, payload: fc.jsonValue() }),
  }),
) as fc.Arbitrary<NewEvent>;

const through = (event: Event): Event | undefined =>
  log.decode(JSON.parse(JSON.stringify(log.encode(event))) as Record<string, Json>, event.seq);
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('the log', () => {
  it('gives back every fact exactly, and each line has the shape of the format', () => {
    const walk = fc.array(fc.tuple(fc.constantFrom(...commandTypes), fc.nat()), {
      minLength: 20,
      maxLength: 60,
    });
    fc.assert(
      fc.property(walk, (commands) => {
        const world = new World();
        for (const [type, nth] of [['create', 0], ['start', 0], ['dispatch', 0], ...commands] as const) {
          const choices = rightful(type, world, 'a');
          world.run(choices[nth % choices.length]!);
        }
        for (const event of world.journal) {
          expect(through(event)).toEqual(event);
          v.parse(eventSchema, log.encode(event));
        }
      }),
      { numRuns: 150, interruptAfterTimeLimit: 8000 },
    );
  });

  it('knows every fact that there is', () => {
    for (const { entries: shape } of newEventSchema.options) {
      const docket = { v: 1, type: shape.type.literal };
      const line = { ts: at, type: 'x', taskId: 't', payload: {}, docket };
      expect(log.decode(line, 1)?.type).toBe(shape.type.literal);
    }
  });

  it('gives back hostile words, keys and counts', () => {
    fc.assert(
      fc.property(
        odd,
        fc.option(text, { nil: undefined }),
        fc.option(fc.nat(), { nil: undefined }),
        (fact, key, more) => {
          const event = {
            ...fact,
            ...stamp,
            ...(key !== undefined && { key }),
            ...(more !== undefined && { more }),
          };
          expect(through(event)).toEqual(asJson(event));
        },
      ),
    );
  });

  it('says it in the words of the format', () => {
    const life = new Life();
    life.start();
    life.order({ id: 'a' }, { id: 'b' }, { id: 'c', agent: 'claude' }, { id: 'd' });
    life.begin('a', 'thread-1');
    life.end('a', 'blocked');
    life.ask('a');
    life.end('b', 'failed');
    life.end('c', 'canceled');
    life.work('d');
    life.do({ type: 'answer', gate: 'gate-a', decision: 'approved' });
    const lines = life.world.journal.map((event) => log.encode(event));
    expect(lines.map(({ type }) => type)).toEqual([
      'task.created',
      'task.started',
      'run.started',
      'agent.started',
      'agent.attempt.ended',
      'agent.blocked',
      'gate.blocked',
      'agent.failed',
      'agent.cancelled',
      'agent.started',
      'agent.attempt.ended',
      'agent.completed',
      'gate.approved',
    ]);
    const [started, blocked] = [lines[3]!, lines[6]!];
    expect(Object.keys(started)).toEqual(
      'ts type taskId agentInstance turnId payload by path docket'.split(' '),
    );
    expect(started).toMatchObject({
      agentInstance: 'a',
      payload: { agentInstance: 'a', adapter: 'codex-exec' },
      docket: { v: 1, type: 'attempt.started', data: { adapter: 'codex' } },
    });
    expect(blocked['payload']).toMatchObject({
      gateId: 'gate-a',
      agentInstance: 'a',
      reason: 'which database?',
    });
  });

  it('takes the line of another tool as a note', () => {
    const line = {
      ts: '2026-01-20T10:00:00.123456789Z',
      type: 'agent.started',
      taskId: 't',
      payload: { a: 1 },
    };
    expect(log.decode(line, 3)).toEqual({
      v: 1,
      seq: 3,
      at: line.ts,
      taskId: 't',
      by: 'unknown',
      type: 'note',
      data: { type: 'agent.started', payload: { a: 1 } },
    });
    expect(log.decode({ ...line, by: 'user', payload: null }, 3)).toMatchObject({
      by: 'user',
      data: { payload: null },
    });
  });

  it.each([
    ['no time', { ts: 'yesterday' }],
    ['a time that is none', { ts: '2026-02-30T00:00:00Z' }],
    ['a number as type', { type: 4 }],
    ['no task', { taskId: null }],
    ['a later version of docket', { docket: { v: 2, type: 'task.done' } }],
    ['a fact that docket does not know', { docket: { v: 1, type: 'task.exploded' } }],
    ['a word of JavaScript', { docket: { v: 1, type: 'constructor' } }],
    ['a fact without data', { docket: { v: 1, type: 'task.done' }, payload: 'x' }],
  ])('is not a line with %s', (_what, change) => {
    expect(log.decode({ ts: at, type: 'x', taskId: 't', payload: {}, ...change }, 1)).toBeUndefined();
  });

  it('says when the state of the task changes', () => {
    const life = new Life();
    life.start();
    life.order({ id: 'a' }, { id: 'b' });
    life.begin('a');
    life.begin('b');
    life.end('a', 'blocked');
    life.ask('a');
    life.do({ type: 'answer', gate: 'gate-a', decision: 'rejected' });
    life.end('b', 'done');
    life.join();
    life.settle();
    expect(life.payloads('task.state.changed')).toEqual([
      { from: 'created', to: 'working' },
      { from: 'working', to: 'input-required' },
      { from: 'input-required', to: 'working' },
      { from: 'working', to: 'completed' },
    ]);
  });
});
