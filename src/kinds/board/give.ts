import { type Asked, type Done, only } from './act.ts';
import type { Sheet } from './apply.ts';
import { locked } from './change.ts';
import type { Desk } from './desk.ts';
import { agentFor, dispatchTo, runnable } from './dispatch.ts';
import type { DispatchMode } from './format/extras.ts';
import type { Intent } from './format/intent.ts';
import { refused } from './refusals.ts';

type GiveIntent = Extract<Intent, { intent: 'run' | 'dispatch' }>;

/** `run` and `dispatch`: a task is given to somebody. */
export async function given(desk: Desk, intent: GiveIntent, asked: Asked): Promise<Done> {
  const mode = asked.mode ?? 'manual';
  if (mode === 'manual') return locked(desk, intent, asked, (sheet) => give(sheet, intent, mode, desk));
  const { spawned } = await import('./spawned.ts');
  return spawned(desk, intent, asked);
}

export function give(sheet: Sheet, intent: GiveIntent, mode: DispatchMode, { protocol }: Desk): Done {
  const task = runnable(sheet.ledger, sheet.now, intent.taskId);
  if (intent.intent === 'run') {
    if (!task)
      return intent.taskId === undefined ? only({ kind: 'nothing_to_run' }) : refused('not_found', intent);
    return dispatchTo(sheet, task, { agent: agentFor(task, protocol.agents), mode }, intent);
  }
  if (!task) return refused('not_found', intent);
  const { role: agent, text } = intent;
  return dispatchTo(sheet, task, { agent, mode, ...(text !== undefined && { text }) }, intent);
}
