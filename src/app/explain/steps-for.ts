import { DocketError } from '../../errors.ts';
import { deskAt } from '../../kinds/board/desk.ts';
import { agentFor } from '../../kinds/board/dispatch.ts';
import type { FoundTask } from '../../kinds/kind.ts';
import { nextSteps } from '../../kinds/next.ts';
import type { NextStep } from '../../render/explain/types.ts';
import { waitsOf } from '../find.ts';
import type { Where } from '../one-store.ts';

/** What can be done with a task now, as commands. */
export function stepsFor(found: FoundTask, where: Where, of: string | undefined): NextStep[] {
  const { kind, name, task } = found;
  const ofBoard = kind === 'board' ? { role: agentFor(task, agentsOf(where)) } : {};
  const waits = waitsOf(found);
  return nextSteps({ kind, name, task, waits, ...ofBoard, of });
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
