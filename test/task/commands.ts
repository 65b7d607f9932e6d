import fc from 'fast-check';
import { isRunByDocket } from '../../src/task/allowed.ts';
import type { Command, CommandType } from '../../src/task/command.ts';
import { stepEnds } from '../../src/task/run.ts';
import { blockKinds, type BlockReason, type Task, type Verdict } from '../../src/task/schema.ts';
import {
  adoption,
  closedGate,
  currentAttempt,
  finishable,
  finished,
  newGate,
  nextAttempt,
  nextRound,
} from './run-state.ts';
import { at, minute, processLease, type World } from './world.ts';

const every: Record<CommandType, true> = {
  create: true,
  edit: true,
  claim: true,
  release: true,
  renew: true,
  start: true,
  submit: true,
  settle: true,
  block: true,
  requeue: true,
  fail: true,
  cancel: true,
  reopen: true,
  archive: true,
  remove: true,
  restore: true,
  begin: true,
  session: true,
  end: true,
  dispatch: true,
  finish: true,
  redo: true,
  join: true,
  ask: true,
  answer: true,
  adopt: true,
};
export const commandTypes = Object.keys(every) as CommandType[];

const reason: BlockReason = { kind: 'gate', text: 'a person must look', who: 'ann' };
export const verdicts: Verdict[] = [
  { kind: 'pass' },
  { kind: 'retry', reason: 'again' },
  { kind: 'hold', reason },
  { kind: 'fail', reason: 'it is broken' },
];

const someAttempt = { agent: 'fake', adapter: 'command', mark: 'm-1' };
/** Well-formed commands of one type, from whoever may send it in this state: the holder, with the right token. */
export function rightful(type: CommandType, world: World, id: string): Command[] {
  const task = world.tasks.get(id);
  const owner = task?.owner ?? 'ann';
  const token = (task && 'token' in task ? task.token : undefined) ?? 999_999;
  const until = at(world.ms + 30 * minute);
  const base = { id, by: owner };
  switch (type) {
    case 'create':
      return [{ ...base, type, title: id, spec: { body: 'do it' } }];
    case 'edit':
      return [{ ...base, type, set: { title: 'better' } }];
    case 'claim':
      return [{ ...base, type, owner, until }];
    case 'renew':
      return [{ ...base, type, token, until }];
    case 'start':
      return [
        { ...base, type, owner, lease: processLease },
        { ...base, type, owner, lease: { kind: 'term', until } },
      ];
    case 'submit':
      return [{ ...base, type, token, summary: 'done, I think' }];
    case 'settle':
      return verdicts.flatMap((verdict): Command[] => [
        { ...base, type, token, verdict, summary: 'judged' },
        // Only the process that runs a task can end it as done.
        ...(verdict.kind === 'pass' && task && isRunByDocket(task)
          ? []
          : [{ ...base, type, verdict, summary: 'judged' } as const]),
      ]);
    case 'block':
      return [{ ...base, type, reason }];
    case 'fail':
      return [{ ...base, type, failure: { error: 'no' } }];
    case 'archive':
      return [{ ...base, type }];
    case 'release':
      return [{ ...base, type, token, reason: 'r' }];
    case 'begin':
      return [{ ...base, type, token, ...nextAttempt(task), ...someAttempt }];
    case 'dispatch':
      return [{ ...base, type, token, ...nextRound(task) }];
    case 'finish':
      return stepEnds.map((state) => ({ ...base, type, token, step: finishable(task), state, reason: 'r' }));
    case 'redo':
      return [{ ...base, type, token, step: finished(task), reason: 'r' }];
    case 'join':
      return [{ ...base, type, ...(task && 'token' in task && { token }) }];
    case 'ask':
      return [{ ...base, type, token, ...newGate(task) }];
    case 'answer':
      return (['approved', 'rejected'] as const).map((decision) => ({
        ...base,
        type,
        gate: closedGate(task),
        decision,
        note: 'so be it',
      }));
    case 'session':
      return [{ ...base, type, token, ...currentAttempt(task), session: 'ses-1' }];
    case 'end':
      return [
        {
          ...base,
          type,
          token,
          ...currentAttempt(task),
          outcome: 'ok',
          usage: { input: 3, cached: 1, output: 2 },
        },
        {
          ...base,
          type,
          token,
          ...currentAttempt(task),
          outcome: 'failed',
          error: { class: 'limit', message: 'later' },
        },
      ];
    case 'requeue':
    case 'cancel':
    case 'reopen':
    case 'remove':
    case 'restore':
      return [{ ...base, type, reason: 'r' }];
    case 'adopt':
      return [adoption(base, task)];
  }
}

const ids = ['a', 'b', 'c', 'd'];
const anyId = fc.constantFrom(...ids);
const someNeeds = fc.uniqueArray(fc.constantFrom(...ids, 'ghost'), { maxLength: 2 });
const anyReason: fc.Arbitrary<BlockReason> = fc.record(
  {
    kind: fc.constantFrom(...blockKinds),
    text: fc.string({ minLength: 1 }),
    who: fc.constantFrom('ann', 'docket'),
    resumesAt: fc.integer({ min: 0, max: 1e9 }).map(at),
  },
  { requiredKeys: ['kind', 'text', 'who'] },
);

/** What a step will be once the state is known: tokens and terms depend on it. */
export interface Intent {
  id: string;
  wait: number;
  make(world: World, task: Task | undefined): Command;
}

/** Any command of anybody at any time: right, late, from the wrong owner, absurd. */
export const anyIntent: fc.Arbitrary<Intent> = fc
  .record({
    id: anyId,
    type: fc.constantFrom(...commandTypes, 'create' as const, 'start' as const, 'edit' as const),
    wait: fc.constantFrom(0, 1, minute, 40 * minute),
    owner: fc.constantFrom('ann', 'bob'),
    token: fc.constantFrom('right', 'right', 'right', 'old', 'none'),
    term: fc.constantFrom(-minute, 30 * minute),
    process: fc.boolean(),
    when: fc.boolean(),
    needs: someNeeds,
    verdict: fc.constantFrom(...verdicts),
    reason: anyReason,
    priority: fc.integer({ min: -100, max: 100 }),
    text: fc.string({ minLength: 1 }),
  })
  .map((x) => ({
    id: x.id,
    wait: x.wait,
    make: (world, task) => {
      const base = { id: x.id, by: x.owner };
      const current = (task && 'token' in task ? task.token : undefined) ?? 1;
      const token = x.token === 'right' ? current : Math.max(1, current - 1);
      const maybe = x.token === 'none' ? {} : { token };
      const until = at(world.ms + x.term);
      const when = x.when ? { when: at(world.ms - minute) } : {};
      const { type, owner, text } = x;
      switch (type) {
        case 'adopt':
          return adoption(base, task);
        case 'create': {
          const { needs, priority } = x;
          return { ...base, type, title: text, spec: { body: text }, needs, priority, ...when };
        }
        case 'edit':
          return { ...base, type, set: x.when ? { needs: x.needs } : { title: text, priority: x.priority } };
        case 'claim':
          return { ...base, type, owner, until };
        case 'renew':
          return { ...base, type, token, until };
        case 'start':
          return {
            ...base,
            type,
            owner,
            lease: x.process ? processLease : { kind: 'term', until },
            ...when,
          };
        case 'submit':
          return { ...base, type, token, summary: text };
        case 'settle':
          return { ...base, type, ...maybe, verdict: x.verdict, summary: text, ...when };
        case 'block':
          return { ...base, type, ...maybe, reason: x.reason };
        case 'requeue':
          return { ...base, type, ...maybe, reason: text };
        case 'fail':
          return { ...base, type, ...maybe, failure: { error: text }, ...when };
        case 'release':
          return { ...base, type, token, reason: text };
        case 'cancel':
          return { ...base, type, reason: text, ...when };
        case 'archive':
          return { ...base, type };
        case 'begin':
          return {
            ...base,
            type,
            token,
            ...(x.process ? nextAttempt(task) : { step: 'work', n: 7 }),
            ...someAttempt,
          };
        case 'dispatch':
          return { ...base, type, token, ...nextRound(x.process ? task : undefined) };
        case 'finish':
          return { ...base, type, token, step: x.process ? finishable(task) : 'one-1', state: 'blocked' };
        case 'redo':
          return { ...base, type, token, step: x.process ? finished(task) : 'one-1', reason: text };
        case 'join':
          return { ...base, type, token };
        case 'ask':
          return { ...base, type, token, ...newGate(x.process ? task : undefined) };
        case 'answer': {
          const decision = x.when ? 'approved' : 'rejected';
          return {
            ...base,
            type,
            gate: closedGate(task),
            decision,
            note: text,
            ...(x.process && { times: 2 }),
          };
        }
        case 'session':
          return { ...base, type, token, ...currentAttempt(task), session: text };
        case 'end':
          return {
            ...base,
            type,
            token,
            ...currentAttempt(task),
            outcome: 'failed',
            error: { class: 'x', message: text },
          };
        case 'reopen':
        case 'remove':
        case 'restore':
          return { ...base, type, reason: text };
      }
    },
  }));

/** Runs are bounded in number and length: the whole folder takes a few seconds. */
export const anySequence = fc.array(anyIntent, { minLength: 20, maxLength: 80, size: 'max' });
export const bounded = { numRuns: 150, interruptAfterTimeLimit: 5_000, markInterruptAsFailure: false };

export function play(world: World, intent: Intent): { command: Command; ok: boolean } {
  world.ms += intent.wait;
  const command = intent.make(world, world.tasks.get(intent.id));
  return { command, ok: world.run(command).ok };
}
