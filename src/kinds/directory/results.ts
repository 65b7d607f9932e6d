import type { Task } from '../../task/schema.ts';
import type { RanDirectory, StepResult } from './api.ts';
import { shown } from './stores.ts';

/** What became of the steps, in the order in which they were asked for. */
export function ranDirectory(task: Task, interrupted: boolean): RanDirectory {
  const { run } = task;
  const steps = run?.steps.map(({ id, agent }): StepResult => {
    const state = run.states[id];
    const summary = state?.report?.['summary'];
    const attempt = task.attempts?.[id];
    const seconds = attempt?.end && (Date.parse(attempt.end.at) - Date.parse(attempt.startedAt)) / 1000;
    return {
      step: id,
      agent,
      state:
        state?.state === 'running' && task.status !== 'running' ? 'interrupted' : (state?.state ?? 'waiting'),
      summary: state?.reason ?? (typeof summary === 'string' ? summary : ''),
      ...(seconds !== undefined && { seconds }),
    };
  });
  return { ...shown(task), steps: steps ?? [], interrupted };
}
