import { liveness, livesSince } from '../io/identity.ts';
import type { Task } from '../task/schema.ts';
import { nobody, unknownHost } from '../task/unknown-owner.ts';

/** Is whoever runs a task gone, as far as that can be told without the run's own lock? */
export function isGone(task: Task): boolean {
  if (task.status !== 'running' && task.status !== 'review') return false;
  const { lease, owner, startedAt } = task;
  if (lease.kind === 'term') return owner === nobody;
  // Another tool's file names a pid and nothing else. It may be at work on it: then it began before the task did.
  if (lease.host === unknownHost) return !livesSince(lease.pid, Date.parse(startedAt));
  return liveness(lease) === 'dead';
}
