import type { Attempt } from './attempt.ts';
import type { CommandType } from './command.ts';
import type { Run } from './run.ts';
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
  if (!isHeld(task)) still.push('adopt');
  if (task.status === 'running') still.push(...whileRunning(task));
  else if (!isHeld(task) && openAttempts(task).length > 0) still.push('end');
  if (Object.values(task.run?.gates ?? {}).some(({ state }) => state === 'blocked')) still.push('answer');
  if (isFinal(task.status) || task.status === 'failed') still.push('archive', 'remove');
  if (isFinal(task.status) && task.run) still.push('join');
  return [...moving, ...still];
}

/** Somebody has it, and only who knows the token of that claim writes about its run. */
export function isHeld(task: Task): boolean {
  return 'token' in task;
}

/** A docket process has it. A file that names a pid alone is another tool's word, and that tool ends its task there. */
export function isRunByDocket(task: Task): boolean {
  if (task.status !== 'running') return false;
  return task.lease.kind === 'process' && task.lease.host !== unknownHost;
}

/** Held for a time that can be renewed. A process holds its task as long as it lives. */
export function hasTerm(task: Task): boolean {
  return 'lease' in task && task.lease?.kind === 'term';
}

function whileRunning(task: Task): CommandType[] {
  const { run } = task;
  const open = openAttempts(task).map(({ step }) => step);
  const unfinished = run?.steps.some(({ id }) => !isOver(run, id) && !open.includes(id));
  return [
    'begin',
    'dispatch',
    ...(open.length > 0 ? (['session', 'end'] as const) : []),
    ...(unfinished ? (['finish'] as const) : []),
    ...(run?.steps.some(({ id }) => isOver(run, id)) ? (['redo'] as const) : []),
    ...(run ? (['join', 'ask'] as const) : []),
  ];
}

/** Nothing more will happen to it. */
export function isOver({ states }: Pick<Run, 'states'>, step: string): boolean {
  const state = states[step]?.state;
  return state === 'done' || state === 'failed' || state === 'canceled';
}

/** Attempts that nobody has seen the end of. */
export function openAttempts(task: { attempts?: Record<string, Attempt> }): Attempt[] {
  return Object.values(task.attempts ?? {}).filter(({ end }) => end === undefined);
}

/** The step's latest attempt, if it is still open. */
export function openAttempt(task: { attempts?: Record<string, Attempt> }, step: string): Attempt | undefined {
  const latest = task.attempts?.[step];
  return latest?.end === undefined ? latest : undefined;
}

/** The host of a process of which a file names the pid alone. */
export const unknownHost = 'unknown';
/** The owner of a task that a file calls running, without a word about who runs it. */
export const nobody = 'nobody';
