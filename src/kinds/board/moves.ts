import type { Command } from '../../task/command.ts';
import type { Task, Verdict } from '../../task/schema.ts';
import { isAfter } from '../../task/time.ts';
import type { Intent } from './format/intent.ts';

/** Who asks, for whom, and when. */
export interface Asker {
  /** Who wrote the message. */
  actor: string;
  /** Who it is about: the agent that was named in front of it, or the actor. */
  who: string;
  now: string;
  /** How long a claim lasts. */
  until: string;
}

/** What an intent comes to for a task as it is: commands, nothing because it is so already, or no. */
export type Move =
  | { kind: 'commands'; commands: Command[] }
  | { kind: 'already' }
  | { kind: 'no'; code: 'held' | 'at_work' | 'own_review' | 'illegal'; owner?: string };

type About<I extends Intent['intent']> = Extract<Intent, { intent: I }>;
export type MoveIntent = About<
  | 'claim_task'
  | 'block_task'
  | 'unblock_task'
  | 'reopen_task'
  | 'fail_task'
  | 'cancel_task'
  | 'submit_review'
  | 'request_changes'
>;

/** May finish, block and return what others hold: the one who answers for the board. */
export const foreman = 'orchestrator';

export function moveFor(intent: MoveIntent, task: Task, asker: Asker): Move {
  switch (intent.intent) {
    case 'claim_task':
      return claim(task, asker, intent.steal === true);
    case 'block_task':
      return block(task, asker, intent.reason ?? 'unspecified blocker');
    case 'unblock_task':
      return task.status === 'blocked'
        ? just({ type: 'requeue', ...by(task, asker), reason: intent.reason ?? 'unblocked' })
        : already;
    case 'reopen_task':
      return reopen(task, asker, intent.reason ?? 'reopened');
    case 'fail_task':
      return task.status === 'failed'
        ? already
        : just({ type: 'fail', ...by(task, asker), failure: { error: intent.reason ?? 'failed' } });
    case 'cancel_task':
      return task.status === 'canceled'
        ? already
        : just({ type: 'cancel', ...by(task, asker), reason: intent.reason ?? 'canceled' });
    case 'submit_review':
      return submit(task, asker, intent.summary ?? task.title);
    case 'request_changes':
      return returned(task, asker, intent.reason ?? 'changes are needed');
  }
}

/** The way to done. The verdict is the gate's: whoever asks, it is the only one that leads there. */
export function settling(task: Task, asker: Asker, verdict: Verdict, summary: string): Move {
  const settle: Command = { type: 'settle', ...by(task, asker), verdict, summary };
  switch (task.status) {
    case 'done':
      return already;
    case 'queued':
      if (task.owner === undefined) return no('illegal');
      if (!mayAct(task, asker)) return no('held', task.owner);
      return verdict.kind === 'hold'
        ? just({ type: 'block', ...by(task, asker), reason: verdict.reason })
        : just(start(task, asker, task.owner), settle);
    case 'running':
      // The process that runs it proves it; the way to stop that process is to cancel the task.
      if (task.lease.kind === 'process') return notYours(task);
      return mayAct(task, asker) ? just(settle) : notYours(task);
    case 'review':
      return no('illegal', task.owner);
    default:
      return no('illegal');
  }
}

/** Another than the owner has looked at it. */
export function approving(task: Task, asker: Asker, verdict: Verdict, summary: string): Move {
  if (task.status === 'done') return already;
  if (task.status !== 'review') return no('illegal');
  if (task.owner === asker.who) return no('own_review', task.owner);
  return just({ type: 'settle', ...by(task, asker), verdict, summary });
}

function claim(task: Task, asker: Asker, steal: boolean): Move {
  const { who, until } = asker;
  const claimed: Command = { type: 'claim', ...by(task, asker), owner: who, until };
  switch (task.status) {
    case 'queued': {
      if (task.owner === who && isHeld(task, asker.now)) return just(start(task, asker, who));
      if (!isHeld(task, asker.now)) return just(claimed);
      if (!steal || task.token === undefined) return no('held', task.owner);
      return just(
        { type: 'release', ...by(task, asker), token: task.token, reason: takenOver(task.owner) },
        claimed,
      );
    }
    case 'running': {
      if (task.owner === who) return already;
      if (task.lease.kind === 'process') return no('at_work', task.owner);
      if (isHeld(task, asker.now) && !steal) return no('held', task.owner);
      return just(
        { type: 'requeue', ...by(task, asker), reason: takenOver(task.owner) },
        start(task, asker, who),
      );
    }
    case 'review':
      return no('illegal', task.owner);
    case 'blocked':
    case 'failed':
      return just(start(task, asker, who));
    case 'done':
    case 'canceled':
      return no('illegal');
  }
}

const fromWhom = 'taken over from ';

function takenOver(owner: string | undefined): string {
  return `${fromWhom}${owner ?? 'nobody'}`;
}

/** From whom, where that is why a claim ended. */
export function takenFrom(reason: string): string | undefined {
  return reason.startsWith(fromWhom) ? reason.slice(fromWhom.length) : undefined;
}

/** Blocked already: the newer reason counts. */
function block(task: Task, asker: Asker, text: string): Move {
  const blocked: Command = {
    type: 'block',
    ...by(task, asker),
    reason: { kind: 'gate', text, who: 'a person' },
  };
  if (task.status !== 'blocked') return just(blocked);
  if (task.reason.text === text) return already;
  return just({ type: 'requeue', ...by(task, asker), reason: 'another reason was given' }, blocked);
}

function reopen(task: Task, asker: Asker, reason: string): Move {
  if (task.status === 'done' || task.status === 'canceled')
    return just({ type: 'reopen', ...by(task, asker), reason });
  return task.status === 'failed' ? just({ type: 'requeue', ...by(task, asker), reason }) : already;
}

function submit(task: Task, asker: Asker, summary: string): Move {
  if (task.status === 'review') return already;
  if (task.status !== 'running' && (task.status !== 'queued' || task.owner === undefined))
    return no('illegal');
  if (!mayAct(task, asker)) return notYours(task);
  const submitted: Command = { type: 'submit', ...by(task, asker), summary };
  return task.status === 'running'
    ? just(submitted)
    : just(start(task, asker, task.owner ?? asker.who), submitted);
}

function returned(task: Task, asker: Asker, reason: string): Move {
  if (task.status !== 'review') return no('illegal');
  if (task.owner === asker.who) return no('own_review', task.owner);
  return just({ type: 'settle', ...by(task, asker), verdict: { kind: 'retry', reason }, summary: '' });
}

/** A claim whose time is over holds nobody. */
export function isHeld(task: Task, now: string): boolean {
  const lease = 'lease' in task ? task.lease : undefined;
  return lease !== undefined && (lease.kind === 'process' || isAfter(lease.until, now));
}

function mayAct(task: Task, { who, actor, now }: Asker): boolean {
  return task.owner === who || actor === foreman || !isHeld(task, now);
}

function notYours(task: Task): Move {
  const isAtWork = task.status === 'running' && task.lease.kind === 'process';
  return no(isAtWork ? 'at_work' : 'held', task.owner);
}

function start(task: Task, asker: Asker, owner: string): Command {
  return { type: 'start', ...by(task, asker), owner, lease: { kind: 'term', until: asker.until } };
}

function by({ id }: Task, { actor }: Asker): { id: string; by: string } {
  return { id, by: actor };
}

const already: Move = { kind: 'already' };

function just(...commands: Command[]): Move {
  return { kind: 'commands', commands };
}

/** What is possible instead is said with it. */
export function no(code: Extract<Move, { kind: 'no' }>['code'], owner?: string): Move {
  return { kind: 'no', code, ...(owner !== undefined && { owner }) };
}
