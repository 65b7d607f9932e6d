import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { log } from '../../../../src/kinds/board/format/log.ts';
import { boardTask } from '../../../../src/kinds/board/format/task.ts';
import { fold } from '../../../../src/store/fold.ts';
import type { Json } from '../../../../src/task/json.ts';
import { newEventSchema, type Event, type NewEvent, type Task } from '../../../../src/task/schema.ts';
import { commandTypes, rightful } from '../../../task/commands.ts';
import { World } from '../../../task/world.ts';

const at = '2026-03-01T10:20:30.456Z';
const id = '00000000-0000-4000-8000-000000000000';
const stamp = { v: 1, seq: 7, at, id } as const;
const text = fc.string({ minLength: 1, unit: 'binary' });
const about = { taskId: fc.constant('t'), by: text };
const fields = ['eventId', 'taskId', 'type', 'messageType', 'actor', 'at', 'payload'];

const through = (event: Event, before?: Task): Event | undefined =>
  log.decode(JSON.parse(JSON.stringify(log.encode(event, before))) as Record<string, Json>, event.seq);

/** Facts whose payload is not simply the core's. */
const odd = fc.oneof(
  fc.record({
    ...about,
    type: fc.constant('task.failed'),
    data: fc.record({ failure: fc.record({ error: text, step: text, lastMessage: text }) }),
  }),
  fc.record({
    ...about,
    type: fc.constant('task.done'),
    data: fc.record({
      summary: fc.string({ unit: 'binary' }),
      verdict: fc.constant({ kind: 'pass' }),
      when: fc.constant(at),
    }),
  }),
  fc.record({
    ...about,
    type: fc.constant('task.blocked'),
    data: fc.record({
      reason: fc.record({ kind: fc.constant('gate'), text, who: text, resumesAt: fc.constant(at) }),
    }),
  }),
  fc.record({
    ...about,
    type: fc.constant('note'),
    data: fc.record({ type: text, payload: fc.jsonValue() }),
  }),
  fc.record({
    ...about,
    type: fc.constant('task.edited'),
    data: fc.record({ set: fc.record({ extras: fc.dictionary(text, fc.dictionary(text, fc.jsonValue())) }) }),
  }),
) as fc.Arbitrary<NewEvent>;

describe('the log of a board', () => {
  it('gives back every fact exactly, in lines with the seven fields', () => {
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
        const tasks = new Map<string, Task>();
        for (const found of world.journal) {
          const event = { ...found, id };
          const before = tasks.get(event.taskId);
          expect(through(event, before)).toEqual(event);
          const line = log.encode(event, before);
          expect(Object.keys(line)).toEqual([...fields, 'docket']);
          expect(line['at']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
          expect(line['messageType']).toMatch(/^\[(TASK|CLAIM|DONE|BLOCKED|REVIEW|DIAG)\]$/);
          tasks.set(event.taskId, fold(before, event, log));
        }
      }),
      { numRuns: 100, interruptAfterTimeLimit: 8000 },
    );
  });

  it('gives back hostile words, keys and counts', () => {
    const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
    fc.assert(
      fc.property(odd, some(text), some(fc.nat()), (fact, key, more) => {
        const event = {
          ...fact,
          ...stamp,
          ...(key !== undefined && { key }),
          ...(more !== undefined && { more }),
        };
        expect(through(event)).toEqual(JSON.parse(JSON.stringify(event)));
      }),
    );
  });

  it('knows every fact that there is', () => {
    for (const { entries: shape } of newEventSchema.options) {
      const docket = { v: 1, type: shape.type.literal };
      const line = {
        eventId: id,
        taskId: 't',
        type: 'x',
        messageType: '[TASK]',
        actor: 'a',
        at,
        payload: {},
        docket,
      };
      expect(log.decode(line, 1)?.type).toBe(shape.type.literal);
    }
  });

  it('guesses at no line of a newer docket', () => {
    const line = { eventId: id, taskId: 't', type: 'task_done', actor: 'a', at, payload: {} };
    expect(log.decode({ ...line, docket: { v: 2, type: 'task.done' } }, 1)).toBeUndefined();
    expect(log.decode({ ...line, docket: { v: 1, type: 'task.flown' } }, 1)).toBeUndefined();
  });
});

const lease = { kind: 'term' as const, until: '2999-01-01T00:00:00Z' };
const life: [NewEvent['type'], object, string, string, object][] = [
  [
    'task.created',
    { title: 'x', spec: { body: '' } },
    'task_created',
    '[TASK]',
    { title: 'x', assigneeHint: 'ann' },
  ],
  [
    'task.claimed',
    { owner: 'bob', lease },
    'task_claimed',
    '[CLAIM]',
    { from: 'pending', to: 'claimed', owner: 'bob' },
  ],
  [
    'task.started',
    { owner: 'bob', lease },
    'task_claimed',
    '[CLAIM]',
    { from: 'claimed', to: 'in_progress', owner: 'bob' },
  ],
  ['task.renewed', { until: lease.until }, 'task_lease_renewed', '[CLAIM]', { until: lease.until }],
  [
    'task.blocked',
    { reason: { kind: 'gate', text: 'no key', who: 'x' } },
    'task_blocked',
    '[BLOCKED]',
    { from: 'in_progress', to: 'blocked', reason: 'no key' },
  ],
  [
    'task.requeued',
    { reason: 'here it is' },
    'task_unblocked',
    '[TASK]',
    { from: 'blocked', to: 'pending', reason: 'here it is' },
  ],
  [
    'task.started',
    { owner: 'bob', lease },
    'task_claimed',
    '[CLAIM]',
    { from: 'pending', to: 'in_progress', owner: 'bob' },
  ],
  [
    'task.requeued',
    { reason: 'taken' },
    'task_requeued',
    '[TASK]',
    { from: 'in_progress', to: 'pending', reason: 'taken' },
  ],
  [
    'task.started',
    { owner: 'eve', lease },
    'task_claimed',
    '[CLAIM]',
    { from: 'pending', to: 'in_progress', owner: 'eve' },
  ],
  [
    'task.submitted',
    { summary: 'look' },
    'task_review_submitted',
    '[REVIEW]',
    { from: 'in_progress', to: 'review', summary: 'look' },
  ],
  [
    'task.returned',
    { reason: 'more' },
    'task_review_changes_requested',
    '[REVIEW]',
    { from: 'review', to: 'in_progress', reason: 'more' },
  ],
  [
    'task.done',
    { summary: 'ok', verdict: { kind: 'pass' } },
    'task_done',
    '[DONE]',
    { from: 'in_progress', to: 'done', result: 'ok' },
  ],
  [
    'task.reopened',
    { reason: 'no' },
    'task_reopened',
    '[TASK]',
    { from: 'done', to: 'pending', reason: 'no' },
  ],
  [
    'task.failed',
    { failure: { error: 'broke' } },
    'task_failed',
    '[BLOCKED]',
    { from: 'pending', to: 'failed', reason: 'broke' },
  ],
  [
    'task.canceled',
    { reason: 'unwanted' },
    'task_canceled',
    '[BLOCKED]',
    { from: 'failed', to: 'blocked', reason: 'unwanted' },
  ],
];

it('says a life in the words of the format, and remembers what the core forgets', () => {
  let task: Task | undefined;
  for (const [index, [type, data, word, tag, payload]] of life.entries()) {
    const event = {
      ...stamp,
      seq: index + 1,
      id: `e${index}`,
      type,
      taskId: 'T-001',
      by: 'ann',
      data,
    } as Event;
    expect(log.encode(event, task)).toMatchObject({ type: word, messageType: tag, payload });
    task = fold(task, event, log);
  }
  expect(boardTask(task!)).toMatchObject({
    status: 'blocked',
    owner: null,
    blockedReason: 'canceled: unwanted',
    result: 'ok',
    review: 'more',
    history: life.map((_, index) => `e${index}`),
  });
});

it('calls a follow-up of another task a diagnosis', () => {
  const data = {
    title: 'DIAG',
    spec: { body: '' },
    relatedTo: 'T-1',
    extras: { board: { assigneeHint: 'debugger' } },
  };
  const event = { ...stamp, type: 'task.created', taskId: 'T-002', by: 'ann', data } as Event;
  expect(log.encode(event)).toMatchObject({
    type: 'diag_task_created',
    messageType: '[DIAG]',
    payload: { title: 'DIAG', assigneeHint: 'debugger', relatedTo: 'T-1' },
  });
});
