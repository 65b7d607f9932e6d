import type { Attempt } from './attempt.ts';
import type { CommandType } from './command.ts';
import type { Task } from './schema.ts';
import { isFinal, moves, type MoveType, type Status } from './status.ts';

/**
 * The event whose edges say where a command is possible. With `moves` this is the whole truth about who may do
 * what when. A verdict may lead elsewhere than to done, but it is given only where done is possible.
 */
const leadsTo: Partial<Record<CommandType, MoveType>> = {
  claim: 'task.claimed',
  release: 'task.released',
  start: 'task.started',
  submit: 'task.submitted',
  settle: 'task.done',
  block: 'task.blocked',
  requeue: 'task.requeued',
  fail: 'task.failed',
  cancel: 'task.canceled',
  reopen: 'task.reopened',
};

export function mayMove(type: MoveType, from: Status): boolean {
  return (moves[type].from as readonly Status[]).includes(from);
}

export function allowedNext(task: Task | undefined): CommandType[] {
  if (task === undefined) return ['create'];
  if (task.removedAt !== undefined) return ['restore'];
  const moving = (Object.keys(leadsTo) as CommandType[]).filter((command) => {
    if (command === 'release' && !hasTerm(task)) return false; // nobody holds it: there is nothing to give up
    const type = leadsTo[command];
    return type !== undefined && mayMove(type, task.status);
  });
  const still: CommandType[] = ['edit'];
  if (hasTerm(task)) still.push('renew');
  if (task.status === 'running')
    still.push(...(openAttempt(task) ? (['session', 'end'] as const) : (['begin'] as const)));
  if (isFinal(task.status) || task.status === 'failed') still.push('archive', 'remove');
  return [...moving, ...still];
}

/** Held for a time that can be renewed. A process holds its task as long as it lives. */
export function hasTerm(task: Task): boolean {
  return 'lease' in task && task.lease?.kind === 'term';
}

/** An attempt that nobody has seen the end of. */
export function openAttempt(task: { attempt?: Attempt }): Attempt | undefined {
  return task.attempt?.end === undefined ? task.attempt : undefined;
}
