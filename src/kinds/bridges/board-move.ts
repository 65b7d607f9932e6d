import { command, fix } from '../../errors/command.ts';
import type { Command } from '../../task/command.ts';
import { type Heard, isSameLink, type Link } from '../../task/link.ts';
import type { BlockReason, Task } from '../../task/schema.ts';
import { isHeld } from '../board/moves.ts';
import { resultOf, type Result } from './result.ts';

/** Who holds a task of the board that the queue does. */
export const holder = 'docket';

/** Long enough for a queue that waits over a holiday; looked at in time, it is renewed. */
const heldMs = 30 * 24 * 60 * 60_000;

/** What a task of the board becomes by what its task of the queue has come to. */
export type BoardMove =
  | { kind: 'none' }
  | { kind: 'commands'; commands: Command[]; as: NonNullable<Heard['as']> }
  /** Its gate has to be asked: these come before its verdict. */
  | { kind: 'gate'; before: Command[] }
  /** Somebody else has it, or decided about it. */
  | { kind: 'lost'; why: string };

const none: BoardMove = { kind: 'none' };

/**
 * Level by level, not event by event: whoever looks, and however often, comes to the same, so that a crash between the
 * queue's commit and the board's loses nothing. What was told is known by the revision of the queue's task.
 */
export function boardMove(board: Task, child: Task, now: string): BoardMove {
  const link: Link = { layout: 'queue', id: child.id };
  const result = resultOf(child);
  if (!isSameLink(linkOf(board), link)) return result.state === 'open' ? begin(board, child, now) : none;
  if ((board.doneBy?.rev ?? 0) >= child.rev) return none; // also what somebody saw before a later word was told
  return result.state === 'open' ? goesOn(board, child, now) : ended(board, child, result, now);
}

/** Nobody else's: whoever wants it may have it. */
export function isFree(board: Task, now: string): boolean {
  if (board.removedAt !== undefined) return false;
  if (board.status === 'queued' || board.status === 'running') return !isHeld(board, now);
  return board.status === 'failed' || (board.status === 'blocked' && board.doneBy?.as === 'blocked');
}

/** Why it cannot be had. */
export function lostBecause(board: Task): string {
  const at = `${board.id} is ${board.removedAt === undefined ? board.status : 'deleted'} on the board`;
  if (board.status === 'blocked') return `${at}: ${board.reason.text}`;
  return board.owner === undefined ? at : `${at}, with ${board.owner}`;
}

function begin(board: Task, child: Task, now: string): BoardMove {
  return isFree(board, now) ? taken(board, child, now) : { kind: 'lost', why: lostBecause(board) };
}

function goesOn(board: Task, child: Task, now: string): BoardMove {
  if (!isOurs(board)) return begin(board, child, now);
  if (board.status === 'blocked') return taken(board, child, now);
  if (board.status === 'queued' && child.status === 'running') return taken(board, child, now);
  return renewed(board, now);
}

function renewed(board: Task, now: string): BoardMove {
  if (!('lease' in board) || board.lease?.kind !== 'term' || board.token === undefined) return none;
  if (Date.parse(board.lease.until) - Date.parse(now) > heldMs / 2) return none;
  const renew: Command = {
    type: 'renew',
    id: board.id,
    by: holder,
    token: board.token,
    until: untilFrom(now),
  };
  return { kind: 'commands', commands: [renew], as: 'held' };
}

/** The board's own words: claimed while it waits in the queue, in progress once somebody works on it. */
function taken(board: Task, child: Task, now: string): BoardMove {
  const until = untilFrom(now);
  const about = { id: board.id, by: holder };
  const back: Command = { ...about, type: 'requeue', reason: `${child.id} of the queue does it` };
  const claim: Command = { ...about, type: 'claim', owner: holder, until };
  const start: Command = { ...about, type: 'start', owner: holder, lease: { kind: 'term', until } };
  const isFirst = board.status === 'queued' && board.owner !== holder;
  const commands = [
    ...(board.status === 'running' || board.status === 'failed' || board.status === 'blocked' ? [back] : []),
    ...(isFirst || board.status !== 'queued' ? [claim] : []),
    ...(child.status === 'queued' ? [] : [start]),
  ];
  return { kind: 'commands', commands, as: 'held' };
}

function ended(board: Task, child: Task, result: Exclude<Result, { state: 'open' }>, now: string): BoardMove {
  if (!isOurs(board)) return isOver(board) ? none : { kind: 'lost', why: lostBecause(board) };
  const about = { id: board.id, by: holder };
  if (result.state === 'done')
    return { kind: 'gate', before: board.status === 'running' ? [] : startOf(board, now) };
  if (result.state === 'canceled') {
    const reason = `its task ${child.id} of the queue was canceled: ${result.reason}`;
    const free: Command =
      board.status === 'queued' && board.token !== undefined
        ? { ...about, type: 'release', token: board.token, reason }
        : { ...about, type: 'requeue', reason };
    return { kind: 'commands', commands: [free], as: 'free' };
  }
  const reason = whyBlocked(child, result);
  if (board.status === 'blocked' && board.reason.text === reason.text) return none;
  const again: Command = { ...about, type: 'requeue', reason: 'another reason was given' };
  const commands: Command[] = [
    ...(board.status === 'blocked' ? [again] : []),
    { ...about, type: 'block', reason },
  ];
  return { kind: 'commands', commands, as: 'blocked' };
}

function whyBlocked({ id }: Task, result: Extract<Result, { state: 'held' | 'failed' }>): BlockReason {
  if (result.state === 'held')
    return {
      ...result.reason,
      text: fix`its task ${id} of the queue waits: ${result.reason.text} (${command`show ${id}`})`.text,
    };
  const { text } =
    fix`its task ${id} of the queue failed: ${result.reason} (${command`retry ${id}`}, or claim it here)`;
  return { kind: 'gate', text, who: 'a person' };
}

function startOf({ id }: Task, now: string): Command[] {
  return [{ type: 'start', id, by: holder, owner: holder, lease: { kind: 'term', until: untilFrom(now) } }];
}

function untilFrom(now: string): string {
  return new Date(Date.parse(now) + heldMs).toISOString();
}

/** Held for the queue, or blocked because of it: nobody has decided otherwise since. */
function isOurs({ status, owner, doneBy, removedAt }: Task): boolean {
  if (removedAt !== undefined) return false;
  if (status === 'blocked') return doneBy?.as === 'blocked';
  return (status === 'queued' || status === 'running') && owner === holder;
}

function isOver({ status, removedAt }: Task): boolean {
  return removedAt !== undefined || status === 'done' || status === 'canceled';
}

function linkOf({ doneBy }: Task): Link | undefined {
  return doneBy && { layout: doneBy.layout, id: doneBy.id };
}
