import { findMarked } from '../io/process/marked.ts';
import { executeTogether } from '../store/execute.ts';
import type { Store } from '../store/store.ts';
import { isHeld, openAttempts } from '../task/allowed.ts';
import type { Attempt } from '../task/attempt.ts';
import type { CommandOf } from '../task/command.ts';
import type { Task } from '../task/schema.ts';

/**
 * Writes down the end of attempts that nobody else will: their task was given up, or taken away, before whoever ran it
 * could say how they ended. What still has a process is left for who ends that.
 */
export async function endAttempts(
  store: Store,
  id: string,
  { by, now }: { by: string; now: string },
): Promise<Task | undefined> {
  const ends = (task: Task): CommandOf<'end'>[] => {
    if (isHeld(task)) return [];
    const outcome = task.status === 'canceled' ? 'stopped' : 'lost';
    const over = openAttempts(task).filter((attempt) => !isAtWork(attempt));
    return over.map(({ step, n }) => ({ type: 'end', id, by, step, n, outcome }));
  };
  const before = await store.get(id);
  if (!before || before.removedAt !== undefined || ends(before).length === 0) return before;
  const done = await executeTogether(store, id, ends, now);
  return done.ok ? done.task : store.get(id); // somebody else was quicker
}

/** A process of it is alive. */
export function isAtWork({ mark }: Pick<Attempt, 'mark'>): boolean {
  return findMarked(mark).length > 0;
}
