import { expect, it } from 'vitest';
import { evolve } from '../../src/task/evolve.ts';
import { loopIn } from '../../src/task/loop.ts';
import type { Step } from '../../src/task/run.ts';
import type { BlockReason, Event, NewEvent, Task } from '../../src/task/schema.ts';

const at = '2026-01-01T00:00:00.000Z';
type Fact = {
  [T in NewEvent['type']]: [T, Extract<NewEvent, { type: T }>['data'], string?];
}[NewEvent['type']];

/** A task after these facts, each by docket unless it says otherwise. */
function after(...facts: Fact[]): Task {
  let task: Task | undefined;
  for (const [n, [type, data, by = 'docket-7']] of facts.entries())
    task = evolve(task, { v: 1, seq: n + 1, at, taskId: 'a', by, type, data } as Event);
  if (!task) throw new Error('there is no task');
  return task;
}

const step: Omit<Step, 'id'> = { kind: 'work', node: 'mend', title: 'fix', role: 'r', agent: 'x', needs: [] };
const lease = { kind: 'term', until: at } as const;
const started: Fact = ['task.started', { owner: 'docket-7', lease }];
const begun: Fact[] = [
  ['task.created', { title: 'a', spec: { body: 'a' } }],
  started,
  ['run.started', { n: 1, goal: 'a', orders: '', steps: [{ ...step, id: 'fix' }] }],
];
const ended: Fact = [
  'step.ended',
  { step: 'fix', state: 'done', mark: { tree: 'aaaaaaaa' }, chose: { rule: 1, text: 't', by: 'tag' } },
];
const put = (by: string, lost?: true): Fact => ['task.requeued', { reason: 'r', ...(lost && { lost }) }, by];
const blocked = (kind: BlockReason['kind']): Fact => [
  'task.blocked',
  { reason: { kind, text: 't', who: 'a person' } },
];

it('a run remembers how its steps ended, if they say what to remember', () => {
  expect(after(...begun, ended).run?.trail).toEqual([
    { at, node: 'mend', step: 'fix', tree: 'aaaaaaaa', rule: 1 },
  ]);
  expect(after(...begun, ['step.ended', { step: 'fix', state: 'done' }]).run).not.toHaveProperty('trail');
  const attempt = { step: 'fix', n: 1, agent: 'x', adapter: 'x', mark: 'm' };
  const tried = after(
    ...begun,
    ['attempt.started', attempt],
    ['attempt.ended', { step: 'fix', n: 1, outcome: 'ok', mark: { said: 'bbbbbbbb' } }],
  );
  expect(tried.run?.trail).toEqual([{ at, node: 'mend', step: 'fix', said: 'bbbbbbbb' }]);
  expect(tried.attempts?.['fix']?.end).not.toHaveProperty('mark');
});

it('only the last of many, also when its steps are ordered anew', () => {
  const many = after(...begun, ...Array.from({ length: 100 }, () => ended));
  expect(many.run?.trail).toHaveLength(48);
  const more: Fact = ['run.started', { n: 2, goal: 'a', orders: '', steps: [], replaces: true }];
  expect(after(...begun, ended, more).run?.trail).toHaveLength(1);
});

it.each<[string, Fact[], number | undefined]>([
  ['docket puts it back', [put('docket-7'), started], 1],
  ['docket died', [put('docket', true), started], 2],
  ['a person puts it back', [put('ann')], undefined],
  ['somebody edits the file', [put('file')], undefined],
  ['a limit is over, whoever noticed', [blocked('limit'), put('user'), started], 1],
  ['it is held as a loop', [blocked('loop')], 1],
  ['somebody has looked at the loop', [blocked('loop'), put('docket')], undefined],
  ['somebody takes it up from there', [blocked('loop'), started], undefined],
  ['it is done', [['task.done', { summary: '', verdict: { kind: 'pass' } }]], undefined],
  ['it failed', [['task.failed', { failure: { error: 'e' } }]], undefined],
])('when %s', (_when, facts, length) => {
  expect(after(...begun, ended, ...facts).run?.trail?.length).toBe(length);
});

it('what a person says at a gate is new', () => {
  const gate: Fact = ['gate.opened', { gate: 'g', kind: 'human-approval', reason: 'r' }];
  const answer = (by: string): Fact => ['gate.answered', { gate: 'g', decision: 'approved' }, by];
  expect(after(...begun, ended, gate, answer('ann')).run).not.toHaveProperty('trail');
  expect(after(...begun, ended, gate, answer('docket-7')).run?.trail).toHaveLength(1);
});

it('docket that dies ten times over the same step is a loop, if each time cost a call and no step ended', () => {
  const called = (n: number): Fact[] => [
    ['attempt.started', { step: 'fix', n, agent: 'x', adapter: 'x', mark: 'm' }],
  ];
  const dies = (n: number, calls = called(n)): Fact[] => [...calls, put('docket', true), started];
  const ten = Array.from({ length: 10 }, (_, n) => dies(n + 1));
  const kind = (facts: Fact[][]) => loopIn(after(...begun, ...facts.flat()).run?.trail)?.kind;
  expect(kind(ten)).toBe('restart');
  expect(kind([...ten.slice(0, 5), [ended], ...ten.slice(5)])).toBeUndefined();
  expect(kind(Array.from({ length: 30 }, (_, n) => dies(n, [])))).toBeUndefined();
});

it.each<[string, Fact[], object | undefined]>([
  ['docket died', [put('docket', true), started], { untrue: 1, failed: 2 }],
  ['a limit is over', [blocked('limit'), put('docket'), started], { untrue: 1, failed: 2 }],
  ['somebody has seen that it is not proved', [blocked('verify'), put('docket')], undefined],
  ['somebody takes it up from there', [blocked('verify'), started], undefined],
  ['a person puts it back', [put('ann')], undefined],
])('who was told that its work is not proved stays told, until somebody looks: %s', (_when, facts, left) => {
  const told = (unproved?: 'failed' | 'untrue'): Fact[] => [
    ended,
    ['step.reopened', { step: 'fix', reason: 'r', ...(unproved && { unproved }) }],
  ];
  const all = [...told('untrue'), ...told(), ...told('failed'), ...told('failed')];
  expect(after(...begun, ...all, ...facts).run?.returns).toEqual(left);
});
