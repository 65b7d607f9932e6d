import type { Task } from '../../../task/schema.ts';
import { callsOf, ownOf } from '../own.ts';
import { stagesOf } from '../stage-view.ts';
import { json } from './json.ts';

/** `state/stats.json`. The keys of `signatures` are ours (see signature.ts): by stage, class and end of stderr. */
export function stats(task: Task): string {
  const { signatures } = ownOf(task);
  return json({
    paid_calls_used: callsOf(task),
    stages_completed: stagesOf(task)
      .filter(({ word }) => word === 'done')
      .map(({ stage }) => stage),
    ...(Object.keys(signatures).length > 0 && { signatures }),
  });
}
