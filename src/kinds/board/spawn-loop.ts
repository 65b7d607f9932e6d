import { stuckIn, type Loops } from '../../engine/run-end.ts';
import type { TreeTrail } from '../../engine/tree-trail.ts';
import { trailed } from '../../task/evolve-run.ts';
import { hashOf } from '../../task/loop.ts';
import type { BlockReason, Task } from '../../task/schema.ts';
import type { Mark } from '../../task/trail-schema.ts';

export interface LoopWatch {
  trail: TreeTrail;
  loops: Loops;
}

/** What a worker left undone, and whether it was left so before: then it is no use to give it to one again. */
export async function leftUndone(
  reason: BlockReason,
  { step, at, task }: { step: string; at: number; task: Task },
  { trail, loops }: LoopWatch,
): Promise<{ reason: BlockReason; mark: Mark }> {
  const tree = await trail.look(step);
  const before = task.run?.trail?.findLast((end) => end.tree !== undefined)?.tree;
  const changed = tree !== undefined && before !== undefined && tree !== before;
  const mark: Mark = {
    ...(tree !== undefined && { tree }),
    ...(changed && { changed }),
    said: hashOf(reason.kind, reason.text),
  };
  const run = task.run && trailed(task.run, step, new Date(at).toISOString(), mark);
  const stuck = run && stuckIn({ ...task, run }, loops);
  const last = stuck && { ...stuck, text: `${stuck.text}\nThe last time: ${reason.text}`.slice(0, 8000) };
  return { reason: last ?? reason, mark };
}
