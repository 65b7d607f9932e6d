import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { applyTo } from '../../kinds/board/apply.ts';
import { visibleText } from '../../render/visible-text.ts';
import type { Task } from '../../task/schema.ts';
import type { BoardAnswer } from './api.ts';
import { answerOf, changeBoard, type Seat } from './board.ts';

/** Takes a task of the board. Under the lock, so that what a person is asked at that moment stays asked. */
export async function claimFor(seat: Seat, taskId: string): Promise<BoardAnswer> {
  const intent = { intent: 'claim_task', taskId } as const;
  const done = await changeBoard(seat, intent, {}, (sheet) => {
    const task = sheet.ledger.get(taskId);
    if (task) assertFree(task, seat.name);
    return applyTo(sheet, intent, { actor: seat.name, locale: 'en' });
  });
  return answerOf(done);
}

/** What waits for a person is not taken up again without one; what only lacks proof is, by the one who has to bring it. */
function assertFree(task: Task, name: string): void {
  if (task.status !== 'blocked') return;
  const { kind, text, who } = task.reason;
  if (kind === 'verify' && who === name) return;
  throw new DocketError(
    'NEEDS_PERSON',
    `${task.id} is blocked (${kind}) and waits for ${visibleText(who)}: ${visibleText(text)}`,
    fix`a person lets it go on: ${command`say 'unblock ${task.id}: ANSWER'`}`,
    { id: task.id, kind, who },
  );
}
