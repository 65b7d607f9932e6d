import { failedDelivery } from '../../task/delivery.ts';
import type { Task } from '../../task/schema.ts';
import { notedOf } from './format/record.ts';

/** Commands about one task of the queue, in the order in which people want them. */
export type Action =
  | 'show'
  | 'diff'
  | 'logs'
  | 'merge'
  | 'pr'
  | 'run'
  | 'retry'
  | 'requeue'
  | 'cancel'
  | 'delete';

/** What can be done with a task as it is now. Each command decides for itself; this is for offering them. */
export function actionsFor(task: Task): Action[] {
  const looks: Action[] = ['show'];
  if (task.run || task.attempts) looks.push('diff', 'logs');
  switch (task.status) {
    case 'queued':
      return [...looks, 'run', 'cancel'];
    case 'running':
    case 'review':
      return [...looks, 'cancel'];
    case 'blocked':
      if (waitingGates(task).length > 0) return [...looks, 'cancel'];
      return [
        ...looks,
        'retry',
        ...(task.reason.kind === 'conflict' && isHeldByMerge(task) ? (['merge'] as const) : []),
        'cancel',
      ];
    case 'failed':
      return [...looks, 'retry', 'cancel', 'delete'];
    case 'done':
      return [
        ...looks,
        ...deliveries(task),
        ...(canBeMerged(task) ? (['merge', 'pr'] as const) : []),
        'requeue',
        'delete',
      ];
    case 'canceled':
      return [...looks, 'requeue', 'delete'];
  }
}

/** Its work is on a branch of its own: what was held before that has nothing to merge. */
export function isCommitted(task: Task): boolean {
  const { branch, commit } = notedOf(task);
  return branch !== undefined && commit !== undefined;
}

/** A merge has held it, and nothing else: its work was proved, and waits on its branch. */
export function isHeldByMerge(task: Task): boolean {
  if (task.status !== 'blocked' || !isCommitted(task)) return false;
  if (task.reason.merge) return true;
  // In older journals only the note says so, which begins with the reason.
  return notedOf(task).note?.startsWith(`${task.reason.text}. `) ?? false;
}

/** It is done on a branch of its own, and nobody has brought it in or asked others to. */
function isToMerge(task: Task): boolean {
  const { merged, prUrl } = notedOf(task);
  return task.status === 'done' && isCommitted(task) && merged === undefined && prUrl === undefined;
}

/** Where it stands with its merge and its delivery, for who says what is next. */
export function mergeStateOf(task: Task): { heldByMerge: boolean; toMerge: boolean } {
  return { heldByMerge: isHeldByMerge(task), toMerge: isToMerge(task) };
}

/** A retry delivers it again, but for the work of an author whom nobody vouches for: `docket pr` does. */
function deliveries(task: Task): Action[] {
  const failed = failedDelivery(task);
  return failed && failed.cause !== 'author' ? ['retry'] : [];
}

/** It was worked on elsewhere, and is not where it belongs yet. */
function canBeMerged(task: Task): boolean {
  return task.spec.workspace?.kind !== 'inplace' && notedOf(task).merged === undefined;
}

/** The gates at which a person has to act. */
function waitingGates({ run }: Pick<Task, 'run'>): string[] {
  return Object.entries(run?.gates ?? {}).flatMap(([gate, { state }]) => (state === 'blocked' ? [gate] : []));
}
