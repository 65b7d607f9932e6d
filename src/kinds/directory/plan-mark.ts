import type { TreeTrail } from '../../engine/tree-trail.ts';
import { hashOf } from '../../task/alike.ts';
import type { Step } from '../../task/run.ts';
import type { Task } from '../../task/schema.ts';
import type { Mark } from '../../task/trail-schema.ts';
import type { Plan } from './format/plan.ts';

/** What a planner's round is compared by: the work that it orders, whatever names it gives, and what the last one changed. */
export async function planMark(
  plan: Plan,
  { id, node }: Step,
  { run }: Task,
  trail: TreeTrail,
): Promise<Mark | undefined> {
  if (plan.kind === 'done') return undefined;
  const orders = plan.actions.tasks.map(({ title, agent, prompt }) => `${agent}\n${title}\n${prompt}`);
  const tree = await trail.look(id);
  const before = run?.trail?.findLast((end) => end.node === node)?.tree;
  return {
    ...(tree !== undefined && { tree }),
    ...(tree !== undefined && before !== undefined && tree !== before && { changed: true }),
    said: hashOf(...orders.toSorted()),
    finding: true,
  };
}
