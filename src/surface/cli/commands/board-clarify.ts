import { tellAnswer } from '../board/heard.ts';
import { speaker } from '../board/speaker.ts';
import type { Context } from '../context.ts';

/** A question to a role. Not too often: the same role, and the group, have a rest in between. */
export function run(context: Context): Promise<number> {
  const { args } = context;
  const [taskId = '', role = '', ...words] = args.operands;
  const { sender, locale } = speaker(args);
  return tellAnswer(
    (board, control) =>
      board.act(
        { intent: 'clarify', taskId, role, question: words.join(' ') },
        { actor: sender.actor, ...control, ...(locale && { locale }) },
      ),
    context,
  );
}
