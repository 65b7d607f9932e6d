import type { Task } from '../../../task/schema.ts';
import { failureOf } from './failure.ts';
import { json } from './file-json.ts';
import { stagesOf } from './stage-view.ts';

/** `state/last_failure.json`: exactly these five. Undefined when there is none any more; the journal keeps them all. */
export function lastFailure(task: Task, current: string | undefined): string | undefined {
  const failure = failureOf(task);
  if (!failure) return isTriedAgain(task) ? current : undefined;
  const { class: kind, signature, exit_code, gate_result, suggested_actions } = failure;
  return json({ class: kind, signature, exit_code, gate_result, suggested_actions });
}

/** A stage has begun anew and nobody knows yet how it ends: only a success makes the last failure past. */
function isTriedAgain(task: Task): boolean {
  const open = stagesOf(task).find(({ word }) => word !== 'done');
  const attempt = open && !open.facts && task.attempts?.[open.stage];
  return Boolean(attempt && (attempt.n > 1 || attempt.end));
}
