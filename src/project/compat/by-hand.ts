import type { Asked } from '../../kinds/board/act.ts';
import type { Intent } from '../../kinds/board/format/intent.ts';
import { foreman } from '../../kinds/board/moves.ts';
import { compareIds } from '../../task/id.ts';
import { dispatchAnswer, type Steps } from './dispatch-answer.ts';
import type { Answer } from './engine.ts';
import { envelope } from './envelope.ts';
import type { Opened } from './open.ts';
import type { Outside } from './outside.ts';

const usualSteps = 3;

/**
 * The autopilot without docket's own workers: each task that waits is given to its agent, once. The original gives the
 * first one again and again.
 */
export async function byHand(
  intent: Extract<Intent, { intent: 'autopilot' | 'auto_progress' }>,
  opened: Opened,
  asked: Asked,
  outside: Outside | undefined,
  ran: Steps,
): Promise<Answer> {
  if (intent.intent === 'autopilot') return passed(intent.steps ?? usualSteps, opened, asked, outside, ran);
  // The order is written down, and what it begins with is done here.
  const heard = await opened.board.act(intent, { ...asked, later: true });
  const answer = await envelope({ heard, steps: [] }, opened.giving);
  if (heard.outcome.kind !== 'auto_progress' || intent.action !== 'on') return answer;
  return { ...answer, autopilot: await passed(heard.outcome.maxSteps, opened, asked, outside, ran) };
}

async function passed(
  maxSteps: number,
  opened: Opened,
  asked: Asked,
  outside: Outside | undefined,
  ran: Steps,
): Promise<Answer> {
  if (asked.actor !== foreman && !asked.addressed)
    return { ok: false, error: 'autopilot is restricted to actor=orchestrator' };
  const { board, giving } = opened;
  const waiting = (await board.list())
    .filter(({ status }) => status === 'pending')
    .map(({ taskId }) => taskId);
  const summary = { done: 0, blocked: 0, manual: 0 };
  const steps: object[] = [];
  let stopReason = waiting.length > maxSteps ? 'max_steps_reached' : 'no_runnable_task';
  for (const taskId of waiting.toSorted(compareIds).slice(0, maxSteps)) {
    const found = await board.act({ intent: 'run', taskId }, asked);
    const heard = outside ? await outside.ended(found, opened, asked) : found;
    const dispatch = await dispatchAnswer(heard, giving, ran);
    const { outcome } = heard;
    if (outcome.kind !== 'dispatched') {
      stopReason = 'dispatch_failed';
      break;
    }
    const decision = outcome.ended?.decision;
    summary[decision === 'done' || decision === 'blocked' ? decision : 'manual'] += 1;
    steps.push({ index: steps.length + 1, taskId, agent: outcome.agent, dispatch });
  }
  const { visibility } = giving;
  const told = { maxSteps, stepsRun: steps.length, summary, stopReason, visibilityMode: visibility, steps };
  return { ok: stopReason !== 'dispatch_failed', handled: true, intent: 'autopilot', ...told };
}
