import { DocketError } from '../../errors.ts';
import { deskAt } from '../../kinds/board/desk.ts';
import { agentFor } from '../../kinds/board/dispatch.ts';
import { isOrdered } from '../../kinds/board/ordered.ts';
import { mergeStateOf } from '../../kinds/queue/actions.ts';
import { nextSteps } from '../../render/explain/next.ts';
import type { NextStep } from '../../render/explain/types.ts';
import type { Where } from '../one-store.ts';
import { waitsOf, type FoundTask } from './find.ts';

/** What can be done with a task now, as commands. */
export function stepsFor(found: FoundTask, where: Where, of: string | undefined): NextStep[] {
  const { kind, name, task } = found;
  const ofBoard = kind === 'board' ? { role: agentFor(task, agentsOf(where)), ordered: isOrdered(task) } : {};
  const waits = waitsOf(found);
  return nextSteps({ kind, name, task, waits, ...mergeStateOf(task), ...ofBoard, of });
}

/** Rules that are wrong are told by who needs them; here the usual roles will do. */
function agentsOf(where: Where): readonly string[] {
  try {
    return deskAt(where).protocol.agents;
  } catch (error) {
    if (error instanceof DocketError) return [];
    throw error;
  }
}
