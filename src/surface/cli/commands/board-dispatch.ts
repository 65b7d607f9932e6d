import { tellAnswer } from '../board/heard.ts';
import { speaker } from '../board/speaker.ts';
import type { Context } from '../context.ts';

/** A task to an agent: by hand, or with --spawn to a worker that docket starts and waits for. */
export function run(context: Context): Promise<number> {
  const { args } = context;
  const [taskId = '', role = '', ...words] = args.operands;
  const text = words.join(' ');
  const { sender, locale } = speaker(args);
  const asked = { actor: sender.actor, mode: args.options.has('spawn') ? 'spawn' : 'manual' } as const;
  return tellAnswer(
    (board, control) =>
      board.act(
        { intent: 'dispatch', taskId, role, ...(text !== '' && { text }) },
        { ...asked, ...control, ...(locale && { locale }) },
      ),
    context,
  );
}
