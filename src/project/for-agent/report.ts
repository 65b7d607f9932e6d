import { judge, verifyCommandsOf } from '../../gate/policy.ts';
import { act } from '../../kinds/board/act.ts';
import { applyTo } from '../../kinds/board/apply.ts';
import { doneBefore, progressed, type ChangeIntent } from '../../kinds/board/change.ts';
import { wordsAsReport } from '../../report/classify-fields.ts';
import type { AgentReport, BoardAnswer } from './api.ts';
import { answerOf, assertNotAsked, changeBoard, heldBy, taskOn, type Seat } from './board.ts';
import { assertSame, keyedFor } from './keys.ts';

/**
 * What an agent says of a task that it holds. That it is done counts only where docket has run the commands of its role
 * itself; where the policy has none, somebody else has to look at the work before it is done.
 */
export async function reportedBy(seat: Seat, report: AgentReport): Promise<BoardAnswer> {
  const { desk, name, trust } = seat;
  const { id, outcome, text, key, signal } = report;
  const keyed = keyedFor(name, key, 'report', id, outcome, text);
  const intent = intentOf(seat, report);
  const before = await doneBefore(desk, intent, keyed);
  assertSame(before?.events[0], keyed);
  if (before) return answerOf(before);
  heldBy(name, id, await taskOn(desk, id));
  const me = { actor: name, locale: 'en' } as const;
  if (intent.intent === 'mark_done') {
    const judged = await act(desk, intent, { ...me, request: 'en', trust, signal, ...keyed });
    assertSame(judged.events[0], keyed);
    return answerOf(judged);
  }
  const done = await changeBoard(seat, intent, keyed, (sheet) => {
    const task = heldBy(name, id, sheet.ledger.get(id));
    if (intent.intent === 'block_task') assertNotAsked(task, text);
    return intent.intent === 'report' ? progressed(sheet, id, text, me) : applyTo(sheet, intent, me);
  });
  return answerOf(done);
}

type Meant = Extract<ChangeIntent, { intent: 'report' | 'block_task' | 'submit_review' | 'mark_done' }>;

/** What they say they mean, not what their words sound like. */
function intentOf(seat: Seat, { id: taskId, outcome, text }: AgentReport): Meant {
  switch (outcome) {
    case 'progress':
      return { intent: 'report', taskId, text };
    case 'blocked':
      return { intent: 'block_task', taskId, reason: text };
    case 'done':
      return isProvable(seat, text)
        ? { intent: 'mark_done', taskId, result: text }
        : { intent: 'submit_review', taskId, summary: text };
  }
}

/** docket itself can judge it: there are commands to run, or not even the words are enough. */
function isProvable({ desk: { policy }, name }: Seat, text: string): boolean {
  return verifyCommandsOf(policy, name).length > 0 || !judge(policy, name, wordsAsReport(text, 'success')).ok;
}
