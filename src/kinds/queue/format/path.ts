import type { Command } from '../../../task/command.ts';
import type { Fields, Json } from '../../../task/json.ts';
import type { Lease, Task } from '../../../task/schema.ts';
import { nobody, unknownHost } from '../../../task/unknown-owner.ts';
import type { State } from './state.ts';

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
