import { DocketError } from '../../errors.ts';
import { nextSteps } from '../../render/explain/next.ts';
import type { NextStep } from '../../render/explain/types.ts';
import { deskAt } from '../board/desk.ts';
import { agentFor } from '../board/dispatch.ts';
import { isOrdered } from '../board/ordered.ts';
import type { Where } from '../one-store.ts';
import { mergeStateOf } from '../queue/actions.ts';
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
