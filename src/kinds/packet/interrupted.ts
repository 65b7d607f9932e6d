import { iso } from '../../io/clock.ts';
import type { Project } from '../../settings/project.ts';
import { executeTogether } from '../../store/execute-together.ts';
import type { Store } from '../../store/store.ts';
import type { Task } from '../../task/schema.ts';
import { refused } from '../refused.ts';
import { withOwn, withSpent } from './format/own.ts';

/**
 * Written down when a run was interrupted. What the calls that were ended have cost, as far as their vendors had said:
 * nobody judged them, so nobody has counted it. And that what people gave is theirs to change again.
 */
export async function noteInterrupted(store: Store, where: Project, task: Task, before: Task): Promise<Task> {
  const stopped = Object.values(task.attempts ?? {}).filter(({ step, n, end }) => {
    const was = before.attempts?.[step];
    return end?.outcome === 'stopped' && !(was?.n === n && was.end);
  });
  const extras = stopped.reduce(
    (sum, { end }) => {
      const { input = 0, output = 0, cost = 0 } = end?.usage ?? {};
      return withSpent(sum, { tokens: input + output, cost });
    },
    withOwn(task.extras, { frozen: '' }),
  );
  const about = { id: task.id, by: 'docket' };
  const done = await executeTogether(
    store,
    task.id,
    [{ ...about, type: 'edit', set: { extras } }],
    iso(where.clock),
  );
  if (!done.ok) throw refused(done.refusal, task.id);
  return done.task;
}
