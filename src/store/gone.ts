import { liveness, livesSince } from '../io/identity.ts';
import { nobody, unknownHost } from '../task/allowed.ts';
import type { Lease, Task } from '../task/schema.ts';

/** Of a task, as far as it says who works on it. */
type Worked = Pick<Task, 'status' | 'owner'> & { lease?: Lease; startedAt?: string };

/** Is whoever runs a task gone, as far as that can be told without the run's own lock? */
export function isGone({ status, lease, owner, startedAt = '' }: Worked): boolean {
  if ((status !== 'running' && status !== 'review') || !lease) return false;
  if (lease.kind === 'term') return owner === nobody;
  // Another tool's file names a pid and nothing else. It may be at work on it: then it began before the task did.
  if (lease.host === unknownHost) return !livesSince(lease.pid, Date.parse(startedAt));
  return liveness(lease) === 'dead';
}
