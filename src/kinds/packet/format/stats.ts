import type { Task } from '../../../task/schema.ts';
import { json, objectIn } from './file-json.ts';
import { isAtRest, paidIn } from './other-work.ts';
import { callsOf, ownOf } from './own.ts';
import { stagesOf } from './stage-view.ts';

/** `state/stats.json`. The keys of `signatures` are ours (see signature.ts): by stage, class and end of stderr. */
export function stats(task: Task, current?: string): string {
  // Another tool has paid for calls since: its file stays until docket takes them over.
  if (current !== undefined && isAtRest(task) && paidIn(objectIn(current)) > callsOf(task)) return current;
  const { signatures } = ownOf(task);
  return json({
    paid_calls_used: callsOf(task),
    stages_completed: stagesOf(task)
      .filter(({ word }) => word === 'done')
      .map(({ stage }) => stage),
    ...(Object.keys(signatures).length > 0 && { signatures }),
  });
}
