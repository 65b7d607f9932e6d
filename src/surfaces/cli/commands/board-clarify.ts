import { say } from '../board/answer.ts';
import { speaker, tellAnswer } from '../board/heard.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { speaking } from '../frame/options.ts';

export const command: Definition = {
  operand: { kind: 'text', names: ['board'], label: '<task> <role> <question…>', min: 3, max: Infinity },
  options: speaking,
  notes: ['Once in 5 minutes for a role, and for the group. Exit code: 75 too early.'],
  examples: ['docket board clarify T-001 coder "Which Node versions?"'],
  answer: say('The question that was asked.'),
  run,
};

/** A question to a role. Not too often: the same role, and the group, have a rest in between. */
function run(context: Context): Promise<number> {
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
