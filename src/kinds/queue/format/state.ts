import { same } from '../../../schema/json.ts';
import { timeOf } from '../../../schema/time.ts';
import { nobody, unknownHost } from '../../../task/allowed.ts';
import type { Command } from '../../../task/command.ts';
import { failedDelivery } from '../../../task/delivery.ts';
import type { Fields, Json } from '../../../task/json.ts';
import type { Failure, Lease, Task } from '../../../task/schema.ts';
import { notedOf, type Words } from './record.ts';

/** What a record says about the state of its task, without the spelling. */
type State =
  | { status: 'pending' }
  | { status: 'running'; startedAt: string; pid?: number }
  | { status: 'completed'; startedAt: string; finishedAt: string }
  | { status: 'failed'; startedAt: string; finishedAt: string; failure: Failure }
  | { status: 'exceeded'; startedAt: string; finishedAt: string }
  | { status: 'pr_failed'; startedAt: string; finishedAt: string; failure?: Failure };

/** What a task's record should say. A file that has only the spec's four statuses is told "failed" for the newer two. */
export function stateOf(task: Task, words: Words): State {
  switch (task.status) {
    case 'queued':
      return { status: 'pending' };
    case 'running':
    case 'review': {
      const pid = task.lease.kind === 'process' ? { pid: task.lease.pid } : {};
      return { status: 'running', startedAt: task.startedAt, ...pid };
    }
    case 'blocked':
      if (task.reason.kind === 'limit' || task.reason.kind === 'dependency') return { status: 'pending' };
      if (words === 'newer' && hasExceeded(task))
        return over('exceeded', task.startedAt ?? task.updatedAt, task.updatedAt);
      return failed(task.startedAt, task.updatedAt, failureAt(task, { error: task.reason.text }));
    case 'done': {
      const error = undeliveredBecause(task);
      if (error === undefined) return over('completed', task.startedAt, task.finishedAt);
      const failure = failureAt(task, { error });
      if (words === 'spec') return failed(task.startedAt, task.finishedAt, failure);
      return { ...over('pr_failed', task.startedAt, task.finishedAt), failure };
    }
    case 'failed':
      return failed(task.startedAt, task.finishedAt, failureAt(task, task.failure));
    case 'canceled': {
      const because = task.canceledBecause;
      const error = because ? `canceled: ${because}` : 'canceled';
      return failed(undefined, task.finishedAt, failureAt(task, { error }));
    }
  }
}

/** Older journals have it among docket's notes. */
function undeliveredBecause(task: Task): string | undefined {
  return failedDelivery(task)?.reason ?? notedOf(task).deliveryError;
}

const longestMessage = 2000;

/** A failure with the step at which the task stopped and the last message. A task that never began a step has neither. */
function failureAt({ run }: Task, failure: Failure): Failure {
  const begun = run?.steps.filter(({ id }) => run.states[id] !== undefined) ?? [];
  const last = begun.findLast(({ id }) => run?.states[id]?.state !== 'done') ?? begun.at(-1);
  if (!run || !last) return failure;
  const { report, reason } = run.states[last.id] ?? {};
  const texts = [report?.['summary'], reason, failure.error];
  const said = texts.find((text): text is string => typeof text === 'string' && text.trim() !== '');
  const lastMessage = said?.trim().slice(-longestMessage);
  return { step: last.title, ...(lastMessage !== undefined && { lastMessage }), ...failure };
}

/** It has reached its limit of steps, and may go on when somebody says so. */
export function hasExceeded(task: Task): boolean {
  return task.status === 'blocked' && task.reason.kind === 'budget' && notedOf(task).exceeded !== undefined;
}

function over<S extends 'completed' | 'exceeded' | 'pr_failed'>(
  status: S,
  startedAt: string,
  finishedAt: string,
): { status: S; startedAt: string; finishedAt: string } {
  return { status, startedAt, finishedAt };
}

/** The format wants a start even of a task that failed before it started. */
function failed(startedAt: string | undefined, finishedAt: string, failure: Failure): State {
  return { status: 'failed', startedAt: startedAt ?? finishedAt, finishedAt, failure };
}

/** What a valid record says. A time that cannot be read stands for the task's creation. */
export function stateIn(fields: Fields, createdAt: string): State {
  const startedAt = timeOf(fields['started_at']) ?? createdAt;
  const finishedAt = timeOf(fields['completed_at']) ?? startedAt;
  const { owner_pid: pid, failure } = fields;
  switch (fields['status']) {
    case 'running':
      return { status: 'running', startedAt, ...(typeof pid === 'number' && { pid }) };
    case 'completed':
      return { status: 'completed', startedAt, finishedAt };
    case 'failed':
      return { status: 'failed', startedAt, finishedAt, failure: failureIn(failure) };
    case 'exceeded':
      return { status: 'exceeded', startedAt, finishedAt };
    case 'pr_failed':
      return { status: 'pr_failed', startedAt, finishedAt, ...(failure && { failure: failureIn(failure) }) };
    default:
      return { status: 'pending' };
  }
}

/** Does a record's own spelling still say what is true of the task? */
export function stillSays(fields: Fields, task: Task, words: Words): boolean {
  const state = stateIn(fields, task.createdAt);
  if (state.status === 'exceeded') {
    return task.status === 'blocked' && task.reason.kind === 'budget' && task.startedAt === state.startedAt;
  }
  if (state.status === 'pr_failed') {
    const error = undeliveredBecause(task);
    const told = error === undefined || error === state.failure?.error;
    return told && task.status === 'done' && same(inCore(state), done(task));
  }
  return same(state, stateOf(task, words));
}

/** Is this what the core knows, whatever docket has noted about the hand-over? */
export function isSo(state: State, task: Task): boolean {
  return same(inCore(state), task.status === 'done' ? done(task) : stateOf(task, 'spec'));
}

function done(task: Extract<Task, { status: 'done' }>): State {
  return over('completed', task.startedAt, task.finishedAt);
}

/** The core has no status for work that is done and was not handed over. */
function inCore(state: State): State {
  return state.status === 'pr_failed' ? over('completed', state.startedAt, state.finishedAt) : state;
}

/** The spelling of new records: every time is there, and what is not so is null. */
export function spell(state: State, words: Words): Fields {
  const fields: Record<string, Json> = {
    status: state.status,
    started_at: 'startedAt' in state ? state.startedAt : null,
    completed_at: 'finishedAt' in state ? state.finishedAt : null,
    owner_pid: (state.status === 'running' && state.pid) || null,
  };
  if ('failure' in state && state.failure) fields['failure'] = spellFailure(state.failure, words);
  return fields;
}

function spellFailure(failure: Failure, words: Words): Fields {
  const fields: Record<string, Json> = {};
  if (failure.step !== undefined) fields[words === 'newer' ? 'step' : 'movement'] = failure.step;
  fields['error'] = failure.error;
  if (failure.lastMessage !== undefined) fields['last_message'] = failure.lastMessage;
  return fields;
}

function failureIn(value: Json | undefined): Failure {
  const { error, step, movement, last_message: last } = value as Record<string, string | undefined>;
  const failure: Failure = { error: error ?? '' };
  const where = step ?? movement;
  if (where !== undefined) failure.step = where;
  if (last !== undefined) failure.lastMessage = last;
  return failure;
}

/** What people do in a file, they do as "file". */
export const byFile = 'file';

const reason = 'the status was changed in tasks.yaml';

type Start = Pick<Task, 'id' | 'status'> & { startedAt?: string };
type Step = Command extends infer C ? (C extends Command ? Omit<C, 'id' | 'by'> : never) : never;

/** The commands that lead a task along the lifecycle's edges to the state that its record now has. */
export function pathTo(from: Start, to: State, fields: Fields): Command[] {
  return steps(from, to, fields).map((step) => ({ id: from.id, by: byFile, ...step }));
}

function steps(from: Start, to: State, fields: Fields): Step[] {
  switch (to.status) {
    case 'pending':
      return toQueued(from);
    case 'running':
      return toRunning(from, to, fields, true);
    case 'completed':
    case 'pr_failed': {
      const summary = typeof fields['summary'] === 'string' ? fields['summary'] : '';
      const settle: Step = {
        type: 'settle',
        verdict: { kind: 'pass' },
        summary,
        ...at(to.finishedAt, fields['completed_at']),
      };
      return [...toRunning(from, to, fields), settle];
    }
    case 'failed': {
      const fail: Step = {
        type: 'fail',
        failure: to.failure,
        ...at(to.finishedAt, fields['completed_at']),
      };
      // The format wants a start of every failed task; one that failed at its start never ran.
      const unstarted = to.startedAt === to.finishedAt && from.startedAt === undefined;
      if (unstarted && (from.status === 'queued' || from.status === 'blocked')) return [fail];
      return [...toRunning(from, to, fields), fail];
    }
    case 'exceeded': {
      const text = 'the limit of steps was reached';
      return [
        ...toRunning(from, to, fields),
        { type: 'block', reason: { kind: 'budget', text, who: 'a person' } },
      ];
    }
  }
}

function toQueued(from: Start): Step[] {
  switch (from.status) {
    case 'queued':
      return [];
    case 'running':
    case 'blocked':
    case 'failed':
      return [{ type: 'requeue', reason }];
    case 'review':
      return [
        { type: 'settle', verdict: { kind: 'retry', reason }, summary: '' },
        { type: 'requeue', reason },
      ];
    case 'done':
    case 'canceled':
      return [{ type: 'reopen', reason }];
  }
}

/** A task that runs already goes on, unless the record speaks of another run. */
function toRunning(
  from: Start,
  to: Exclude<State, { status: 'pending' }>,
  fields: Fields,
  anew = false,
): Step[] {
  const active = from.status === 'running' || from.status === 'review';
  if (active && !anew && from.startedAt === to.startedAt) return [];
  const start: Step = { type: 'start', ...holder(to), ...at(to.startedAt, fields['started_at']) };
  const startable = from.status === 'queued' || from.status === 'blocked' || from.status === 'failed';
  return startable ? [start] : [...toQueued(from), start];
}

/** A time that the record does not say is now: somebody has only changed the status. */
function at(time: string, said: Json | undefined): { when?: string } {
  return (said ?? null) === null ? {} : { when: time };
}

/** A pid from a file says nothing about host and start: recovery will find out whether that process lives. */
function holder(to: Exclude<State, { status: 'pending' }>): { owner: string; lease: Lease } {
  if (to.status === 'running' && to.pid !== undefined) {
    const lease: Lease = { kind: 'process', host: unknownHost, pid: to.pid, startTime: '', bootId: '' };
    return { owner: `pid ${to.pid}`, lease };
  }
  return { owner: nobody, lease: { kind: 'term', until: to.startedAt } };
}
