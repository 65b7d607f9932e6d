import { isOver } from './allowed.ts';
import type { Run, Step } from './run.ts';
import type { Task } from './schema.ts';

/** A no to this gate is the end of its task: nothing else of it is left to do, to be answered or to be planned. */
export function endsIt(task: Pick<Task, 'run' | 'status'>, gate: string): boolean {
  const { run, status } = task;
  const step = run?.gates[gate]?.step;
  if (!run || step === undefined || status !== 'blocked' || run.planner) return false;
  const waits = Object.entries(run.gates).some(([id, { state }]) => id !== gate && state === 'blocked');
  return !waits && run.steps.every(({ id }) => id === step || isOver(run, id));
}

/** The step that a person said no to, and that nobody has wanted again since. */
export function rejectedStep(run: Run | undefined): { step: Step; gate: string; reason: string } | undefined {
  for (const [gate, { state, step: id, resolvedAt }] of Object.entries(run?.gates ?? {})) {
    const step = run?.steps.find((one) => one.id === id);
    const now = step && run?.states[step.id];
    if (step && state === 'rejected' && now?.state === 'failed' && now.since === resolvedAt)
      return { step, gate, reason: now.reason ?? `rejected at ${gate}` };
  }
  return undefined;
}
