import type { Run } from './run.ts';
import type { EventOf, Task } from './schema.ts';
import type { End, Mark } from './trail-schema.ts';

/** Enough for three rounds of a workflow whose steps run eight at once. */
const longest = 48;

/** Names under which docket itself writes; everybody else who puts a task back has looked at it. */
const own = /^(?:docket(?:-\d+)?|controller|orchestrator)$/;

export function isPerson(by: string): boolean {
  return !own.test(by);
}

/** A step ended, or a try of it that is made once more. */
export function trailed(run: Run, step: string, at: string, mark: Mark, rule?: number): Run {
  const node = run.steps.find(({ id }) => id === step)?.node ?? step;
  return withEnd(run, { at, node, step, ...mark, ...(rule !== undefined && { rule }) });
}

/**
 * The run of a task that changed hands. Who was to look at a loop has done so; a person who puts a task back wants it
 * tried. What docket puts back by itself goes on counting, and that it died counts too.
 */
export function runAfterMove(
  task: Task,
  event: EventOf<
    'task.started' | 'task.requeued' | 'task.reopened' | 'task.done' | 'task.failed' | 'task.canceled'
  >,
): Run | undefined {
  if (!task.run) return undefined;
  const reason = task.status === 'blocked' ? task.reason : undefined;
  const run = reason?.kind === 'verify' ? unreturned(task.run) : task.run;
  const wasLoop = reason?.kind === 'loop';
  if (event.type === 'task.started') return wasLoop ? untrailed(run) : run;
  if (event.type !== 'task.requeued' || wasLoop) return untrailed(run);
  // A limit that is over is nobody's look at the work, whoever noticed.
  if (reason?.kind === 'limit' || reason?.who === 'docket') return run;
  if (isPerson(event.by)) return untrailed(run);
  return event.data.lost ? died(run, task, event.at) : run;
}

/** A death that cost no call is none of the task's: its agent was at work, and went on. */
function died(run: Run, { attempts = {} }: Task, at: string): Run {
  const calls = Object.values(attempts).reduce((sum, { n }) => sum + n, 0);
  const last = run.trail?.at(-1);
  const isFree = last !== undefined && last.node === undefined && last.calls === calls;
  return isFree ? run : withEnd(run, { at, calls });
}

export function untrailed(run: Run): Run {
  const { trail, ...rest } = run;
  return unreturned(trail ? rest : run);
}

function unreturned(run: Run): Run {
  const { returns, ...rest } = run;
  return returns ? rest : run;
}

function withEnd(run: Run, end: End): Run {
  return { ...run, trail: [...(run.trail ?? []).slice(1 - longest), end] };
}
