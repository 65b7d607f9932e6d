import type { Intent } from '../../layout/board/intent.ts';
import type { Command } from '../../task/command.ts';
import type { Task, Verdict } from '../../task/schema.ts';
import { isAfter } from '../../task/time.ts';

/** Who asks, for whom, and when. */
export interface Asked {
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
  | { kind: 'no'; why: Why; owner?: string };

/** Why not; what is possible instead is said with it. */
export type Why =
  | 'held'
  | 'not-claimed'
  | 'not-yours'
  | 'in-review'
  | 'done'
  | 'own-work'
  | 'blocked'
  | 'not-in-review';

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

export function moveFor(intent: MoveIntent, task: Task, asked: Asked): Move {
  switch (intent.intent) {
    case 'claim_task':
      return claim(task, asked, intent.steal === true);
    case 'block_task':
      return block(task, asked, intent.reason ?? 'unspecified blocker');
    case 'unblock_task':
      return task.status === 'blocked'
        ? just({ type: 'requeue', ...by(task, asked), reason: intent.reason ?? 'unblocked' })
        : already;
    case 'reopen_task':
      return reopen(task, asked, intent.reason ?? 'reopened');
    case 'fail_task':
      return task.status === 'failed'
        ? already
        : just({ type: 'fail', ...by(task, asked), failure: { error: intent.reason ?? 'failed' } });
    case 'cancel_task':
      return task.status === 'canceled'
        ? already
        : just({ type: 'cancel', ...by(task, asked), reason: intent.reason ?? 'canceled' });
    case 'submit_review':
      return submit(task, asked, intent.summary ?? task.title);
    case 'request_changes':
      return returned(task, asked, intent.reason ?? 'changes are needed');
  }
}

/** The way to done. The verdict is the gate's: whoever asks, it is the only one that leads there. */
export function settling(task: Task, asked: Asked, verdict: Verdict, summary: string): Move {
  const settle: Command = { type: 'settle', ...by(task, asked), verdict, summary };
  switch (task.status) {
    case 'done':
      return already;
    case 'queued':
      if (task.owner === undefined) return no('not-claimed');
      return mayAct(task, asked) ? just(start(task, asked, task.owner), settle) : no('not-yours', task.owner);
    case 'running':
      return mayAct(task, asked) ? just(settle) : no('not-yours', task.owner);
    case 'review':
      return no('in-review', task.owner);
    default:
      return no(task.status === 'blocked' ? 'blocked' : 'not-claimed');
  }
}

/** Another than the owner has looked at it. */
export function approving(task: Task, asked: Asked, verdict: Verdict, summary: string): Move {
  if (task.status === 'done') return already;
  if (task.status !== 'review') return no('not-in-review');
  if (task.owner === asked.who) return no('own-work', task.owner);
  return just({ type: 'settle', ...by(task, asked), verdict, summary });
}

function claim(task: Task, asked: Asked, steal: boolean): Move {
  const { who, until } = asked;
  const claimed: Command = { type: 'claim', ...by(task, asked), owner: who, until };
  switch (task.status) {
    case 'queued': {
      if (task.owner === who && isHeld(task, asked.now)) return just(start(task, asked, who));
      if (!isHeld(task, asked.now)) return just(claimed);
      if (!steal || task.token === undefined) return no('held', task.owner);
      return just(
        { type: 'release', ...by(task, asked), token: task.token, reason: `taken over by ${who}` },
        claimed,
      );
    }
    case 'running': {
      if (task.owner === who) return already;
      if (isHeld(task, asked.now) && !(steal && task.lease.kind === 'term')) return no('held', task.owner);
      return just(
        { type: 'requeue', ...by(task, asked), reason: `taken over by ${who}` },
        start(task, asked, who),
      );
    }
    case 'review':
      return no('in-review', task.owner);
    case 'blocked':
    case 'failed':
      return just(start(task, asked, who));
    case 'done':
    case 'canceled':
      return no('done');
  }
}

/** Blocked already: the newer reason counts. */
function block(task: Task, asked: Asked, text: string): Move {
  const blocked: Command = {
    type: 'block',
    ...by(task, asked),
    reason: { kind: 'gate', text, who: 'a person' },
  };
  if (task.status !== 'blocked') return just(blocked);
  if (task.reason.text === text) return already;
  return just({ type: 'requeue', ...by(task, asked), reason: 'another reason was given' }, blocked);
}

function reopen(task: Task, asked: Asked, reason: string): Move {
  if (task.status === 'done' || task.status === 'canceled')
    return just({ type: 'reopen', ...by(task, asked), reason });
  return task.status === 'failed' ? just({ type: 'requeue', ...by(task, asked), reason }) : already;
}

function submit(task: Task, asked: Asked, summary: string): Move {
  if (task.status === 'review') return already;
  if (task.status !== 'running' && (task.status !== 'queued' || task.owner === undefined))
    return no('not-claimed');
  if (!mayAct(task, asked)) return no('not-yours', task.owner);
  const submitted: Command = { type: 'submit', ...by(task, asked), summary };
  return task.status === 'running'
    ? just(submitted)
    : just(start(task, asked, task.owner ?? asked.who), submitted);
}

function returned(task: Task, asked: Asked, reason: string): Move {
  if (task.status !== 'review') return no('not-in-review');
  if (task.owner === asked.who) return no('own-work', task.owner);
  return just({ type: 'settle', ...by(task, asked), verdict: { kind: 'retry', reason }, summary: '' });
}

/** A claim whose time is over holds nobody. */
function isHeld(task: Task, now: string): boolean {
  const lease = 'lease' in task ? task.lease : undefined;
  return lease !== undefined && (lease.kind === 'process' || isAfter(lease.until, now));
}

function mayAct(task: Task, { who, actor, now }: Asked): boolean {
  return task.owner === who || actor === foreman || !isHeld(task, now);
}

function start(task: Task, asked: Asked, owner: string): Command {
  return { type: 'start', ...by(task, asked), owner, lease: { kind: 'term', until: asked.until } };
}

function by({ id }: Task, { actor }: Asked): { id: string; by: string } {
  return { id, by: actor };
}

const already: Move = { kind: 'already' };

function just(...commands: Command[]): Move {
  return { kind: 'commands', commands };
}

function no(why: Why, owner?: string): Move {
  return { kind: 'no', why, ...(owner !== undefined && { owner }) };
}
