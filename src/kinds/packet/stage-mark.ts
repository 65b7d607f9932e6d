import type { StepResult } from '../../engine/step.ts';
import type { Task } from '../../task/schema.ts';
import type { Mark } from '../../task/trail-schema.ts';
import { takeSnapshot, type Snapshot, type WorkTree } from '../../workspace/snapshot.ts';
import type { StageFacts } from './format/facts.ts';
import { ownSignature } from './format/signature.ts';

/** Its provider could not be asked: that is no try. */
const elsewhere: ReadonlySet<string> = new Set(['transient', 'limit', 'auth']);

/** What a failed try of a stage is compared by with the tries before it: its error, and the tree where it may write. */
export async function tryMark(
  { end }: StepResult,
  facts: StageFacts,
  { run }: Task,
  { tree, before }: { tree: WorkTree; before: Snapshot | undefined },
): Promise<Mark | undefined> {
  const { stage, failure } = facts;
  if (!failure || (end.kind === 'error' && elsewhere.has(end.error.class))) return undefined;
  const now = before && (await takeSnapshot(tree)).tree;
  const was = run?.trail?.findLast((one) => one.node === stage)?.tree ?? before?.tree;
  return {
    said: ownSignature({ ...facts, failure }).slice('sig:'.length),
    ...(now !== undefined && { tree: now, ...(now !== was && { changed: true }) }),
  };
}
