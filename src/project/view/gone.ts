import type { Lease, Task } from '../../task/schema.ts';

interface Held extends Pick<Task, 'status' | 'owner'> {
  lease?: Lease;
  startedAt?: string;
}

/** Tasks of this status that are held by a process that has died. */
export async function goneIn<T extends Held>(
  tasks: readonly T[],
  status: Task['status'],
): Promise<ReadonlySet<T>> {
  const held = tasks.filter((task) => task.status === status && task.lease?.kind === 'process');
  if (held.length === 0) return new Set();
  const { isGone } = await import('../../store/gone.ts'); // only then: to load it takes longer than to ask
  return new Set(held.filter((task) => isGone(task)));
}
