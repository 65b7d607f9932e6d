import { DocketError } from '../../errors.ts';
import { reasonLine } from '../../render/reason-line.ts';
import { tellingLine } from '../../render/telling.ts';
import type { Task } from '../../task/schema.ts';
import { isHeldByMerge } from './actions.ts';
import { ownOf } from './format/record.ts';

/** It is done, or was and a merge has held it. A branch of an earlier run says nothing about that. */
export function assertProved(task: Task): void {
  if (task.status === 'done' || isHeldByMerge(task)) return;
  const { name } = ownOf(task);
  const data = { id: task.id, status: task.status };
  throw new DocketError('REFUSED', `task ${name} is ${stateOf(task)}`, wayToDone(task, name), data);
}

function stateOf(task: Task): string {
  if (task.status !== 'blocked') return `${task.status}, not done`;
  const why = reasonLine(task.reason.kind, tellingLine(task.reason.text)).slice(0, 500);
  return `blocked (${why}), not done: only work that is proved leaves its workspace`;
}

/** What has to be done before it can leave its workspace. */
function wayToDone(task: Task, name: string): string {
  switch (task.status) {
    case 'queued':
      return `run it first: docket run ${name}`;
    case 'running':
    case 'review':
      return `wait until it has ended; see how far it is: docket show ${name}`;
    case 'blocked':
      return `see what is missing: docket explain ${name}; have it mended: docket retry ${name} --note TEXT, then docket run`;
    default:
      return `have it done first: docket retry ${name}, then docket run`;
  }
}
