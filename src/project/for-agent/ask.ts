import type { Done } from '../../kinds/board/act.ts';
import { applyTo, creation, type Sheet } from '../../kinds/board/apply.ts';
import { boardTask } from '../../kinds/board/format/task.ts';
import { refusedBy } from '../../kinds/board/refusals.ts';
import { applyTogether } from '../../store/execute.ts';
import type { Command } from '../../task/command.ts';
import type { AgentQuestion, BoardAnswer } from './api.ts';
import { answerOf, assertNotAsked, changeBoard, heldBy, type Seat } from './board.ts';
import { keyedFor } from './keys.ts';

/** A question to a person: its task waits for the answer. */
export async function askedBy(seat: Seat, { id, question, key }: AgentQuestion): Promise<BoardAnswer> {
  if (id === undefined) return answerOf(await askedAlone(seat, question, key));
  const intent = { intent: 'block_task', taskId: id, reason: question } as const;
  const keyed = keyedFor(seat.name, key, 'ask', id, question);
  const done = await changeBoard(seat, intent, keyed, (sheet) => {
    assertNotAsked(heldBy(seat.name, id, sheet.ledger.get(id)), question);
    return applyTo(sheet, intent, { actor: seat.name, locale: 'en' });
  });
  return answerOf(done);
}

/** Made and blocked as one fact: nobody is to take it for work between the two. */
function askedAlone(seat: Seat, question: string, key: string | undefined): Promise<Done> {
  const title = question.replaceAll(/\s+/g, ' ').trim();
  const intent = { intent: 'create_task', title } as const;
  const keyed = keyedFor(seat.name, key, 'ask', question);
  return changeBoard(seat, intent, keyed, ({ ledger, commit, now, ...sheet }: Sheet): Done => {
    const create = creation({ ledger, commit, now, ...sheet }, intent, seat.name);
    const reason = { kind: 'gate', text: question, who: 'a person' } as const;
    const block: Command = { type: 'block', id: create.id, by: seat.name, reason };
    const done = applyTogether(ledger, [create, block], now, commit, { key: sheet.key });
    if (!done.ok) return refusedBy(done, intent);
    const task = ledger.get(create.id);
    if (!task) throw new Error(`${create.id} is gone right after it was written`);
    const outcome = { kind: 'moved', move: 'blocked', task: boardTask(task), text: question } as const;
    return { outcome, events: done.events };
  });
}
