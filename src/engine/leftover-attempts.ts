import path from 'node:path';
import { type Clock, iso } from '../io/clock.ts';
import { adoptProcess } from '../io/process/adopt.ts';
import { findMarked } from '../io/process/family.ts';
import { endLeftover, workingBelow } from '../io/process/leftovers.ts';
import { executeTogether } from '../store/execute.ts';
import type { Store } from '../store/store.ts';
import { isHeld, openAttempts } from '../task/allowed.ts';
import type { Attempt } from '../task/attempt.ts';
import type { CommandOf } from '../task/command.ts';
import type { Task } from '../task/schema.ts';

/** `attempts`, task, step, attempt. */
const levels = 4;

/**
 * Ends what a dead docket left running and nobody will take over: agents of tasks that were canceled or removed meanwhile,
 * say, also what they left behind themselves, and commands that docket ran. `unwanted` says of which tasks.
 */
export async function endStrays(
  { store, clock }: { store: Store; clock: Clock },
  dir: string,
  unwanted: (task: Task) => boolean,
): Promise<void> {
  const base = path.resolve(dir);
  for (const { folder, left } of workingBelow(base, levels)) {
    const [kind, id = '', step, n] = path.relative(base, folder).split(path.sep);
    if (kind !== 'attempts') {
      if (left) await endLeftover(folder);
      continue;
    }
    const task = await store.get(id);
    const open = task && openAttempts(task).find((one) => one.step === step && String(one.n) === n);
    if (!open || !unwanted(task)) continue;
    await adoptProcess({ dir: folder, mark: open.mark })?.stop('canceled');
    // One that is taken up again reads what is left of it.
    if (isAbandoned(task)) await endAttempts(store, id, { by: 'docket', now: iso(clock) });
  }
}

/** Only a queued task is ever taken up again. */
export function isAbandoned(task: Task): boolean {
  return (
    task.removedAt !== undefined ||
    (task.status !== 'queued' && task.status !== 'running' && task.status !== 'review')
  );
}

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
