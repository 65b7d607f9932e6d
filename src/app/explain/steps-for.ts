import type { FoundTask } from '../../kinds/kind.ts';
import { kindNamed } from '../../kinds/kinds.ts';
import { nextSteps } from '../../kinds/next.ts';
import type { NextStep } from '../../render/explain/types.ts';
import { waitsOf } from '../find.ts';
import type { Where } from '../one-store.ts';

/** What can be done with a task now, as commands. */
export async function stepsFor(found: FoundTask, where: Where, of: string | undefined): Promise<NextStep[]> {
  const { kind, name, task } = found;
  const role = await kindNamed(kind).assignee?.(where, task);
  return nextSteps({ kind, name, task, waits: waitsOf(found), ...(role !== undefined && { role }), of });
}
