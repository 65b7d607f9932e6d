import type { Entry } from '../../engine/recorder.ts';
import type { Store } from '../../store/store.ts';
import type { Run, Step } from '../../task/run.ts';
import type { Task } from '../../task/schema.ts';

/** Longer prompts go into a file of their own: a line of the log has to stay readable. */
const longestInline = 64 * 1024;

/** The order of a round, as it is written down. */
export async function dispatchOf(
  task: Task,
  order: {
    goal: string;
    steps: Step[];
    orders: Record<string, string>;
    planner?: NonNullable<Run['planner']>;
  },
  store: Store,
): Promise<Entry> {
  const text = JSON.stringify(order.orders);
  const bytes = Buffer.from(text);
  const orders =
    bytes.length <= longestInline ? text : { blob: await store.blobs.put(bytes), bytes: bytes.length };
  return {
    type: 'dispatch',
    n: (task.run?.n ?? 0) + 1,
    goal: order.goal,
    steps: order.steps,
    orders,
    ...(order.planner && { planner: order.planner }),
  };
}
