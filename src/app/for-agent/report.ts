import { judge, verifyCommandsOf } from '../../gate/policy.ts';
import { wordsAsReport } from '../../report/classify-fields.ts';
import { act } from '../board/act.ts';
import { applyTo } from '../board/apply.ts';
import { doneBefore, progressed, type ChangeIntent } from '../board/change.ts';
import type { AgentReport, BoardAnswer } from './api.ts';
import { answerAbout, changeBoard, heldBy, keyFor, taskOn, type Seat } from './board.ts';

/**
 * What an agent says of a task that it holds. That it is done counts only where docket has run the commands of its role
 * itself; where the policy has none, somebody else has to look at the work before it is done.
 */
export async function reportedBy(seat: Seat, report: AgentReport): Promise<BoardAnswer> {
  const { desk, name, trust } = seat;
  const { id, text, key, signal } = report;
  const keyed = key === undefined ? {} : { key: keyFor(name, key) };
  const intent = intentOf(seat, report);
  const before = await doneBefore(desk, intent, keyed);
  if (before) return answerAbout(id, before, key);
  heldBy(name, id, await taskOn(desk, id));
  const me = { actor: name, locale: 'en' } as const;
  if (intent.intent === 'mark_done')
    return answerAbout(id, await act(desk, intent, { ...me, request: 'en', trust, signal, ...keyed }), key);
  const done = await changeBoard(seat, intent, key, (sheet) => {
    heldBy(name, id, sheet.ledger.get(id));
    return intent.intent === 'report' ? progressed(sheet, id, text, me) : applyTo(sheet, intent, me);
  });
  return answerAbout(id, done, key);
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
