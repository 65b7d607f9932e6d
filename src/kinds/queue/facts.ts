import type { Step } from '../../task/run.ts';
import type { Task } from '../../task/schema.ts';
import { trail } from '../../workflow/trail.ts';
import type { TaskRun } from './task-run.ts';

/** What a deterministic condition of a rule can ask about. */
export function factsFor(
  step: Step,
  task: Task,
  { graph }: TaskRun,
  structured?: unknown,
): Record<string, unknown> {
  const steps = task.run?.steps ?? [];
  return {
    context: {
      iteration: trail({ steps }).length,
      step_iteration: steps.filter(({ node, kind }) => node === step.node && kind !== 'human').length,
      max_steps: graph.maxSteps ?? null,
      task: task.title,
      workflow: graph.name,
    },
    ...(structured !== undefined && { structured }),
  };
}
