import { isOver } from '../task/allowed.ts';
import type { Run } from '../task/run.ts';
import type { NewEvent, Task } from '../task/schema.ts';

/** Where the work on a task's steps is. */
export type Phase = 'dispatching' | 'monitoring' | 'joining' | 'blocked' | 'done';

/** A fold, never stored. Undefined: no steps were ever ordered. */
export function phaseOf({ run, status }: Task): Phase | undefined {
  if (!run) return undefined;
  if (status === 'blocked') return 'blocked';
  if (status === 'done' || status === 'failed' || status === 'canceled') return 'done';
  if (isJoined(run)) return 'joining';
  return isTouched(run) ? 'monitoring' : 'dispatching';
}

/**
 * What a fact leads to. Whoever takes up a run that is not finished begins by dispatching, as for a new round; a join
 * always counts, because what it joins may be new.
 */
const leadsTo: { readonly [T in NewEvent['type']]?: (after: Task, run: Run) => (Phase | undefined)[] } = {
  'task.started': (after, run) => (isFinished(run) ? [] : begun(after)),
  'run.started': () => ['dispatching'],
  'attempt.started': (after) => [phaseOf(after)],
  'step.ended': (after) => (after.status === 'running' ? [phaseOf(after)] : []),
  'run.joined': () => ['joining'],
  'task.blocked': () => ['blocked'],
  'task.done': () => ['done'],
  'task.failed': () => ['done'],
  'task.canceled': () => ['done'],
};

/** The phases that a fact takes a task through. No dispatching is left but by monitoring, even if nothing started. */
export function phasesThrough(before: Task | undefined, fact: NewEvent, after: Task): Phase[] {
  const { run } = after;
  const path: Phase[] = [];
  let now = before && phaseOf(before);
  for (const next of (run && leadsTo[fact.type]?.(after, run)) ?? []) {
    if (next === undefined || (next === now && next !== 'joining')) continue;
    if (now === 'dispatching' && next !== 'monitoring') path.push('monitoring');
    path.push(next);
    now = next;
  }
  return path;
}

/** An answer that arrived after the join has made a step ready: there is more to join. */
function isJoined({ joinedAt, states }: Run): boolean {
  return joinedAt !== undefined && !Object.values(states).some(({ state }) => state === 'ready');
}

function isTouched({ steps, rounds, states }: Run): boolean {
  return steps.slice(rounds.at(-1)).some(({ id }) => states[id] !== undefined);
}

function isFinished(run: Run): boolean {
  return run.steps.every(({ id }) => isOver(run, id));
}

/** A round of which something was touched before is not dispatched again as a whole. */
function begun(task: Task): Phase[] {
  return phaseOf(task) === 'dispatching' ? ['dispatching'] : ['dispatching', 'monitoring'];
}
