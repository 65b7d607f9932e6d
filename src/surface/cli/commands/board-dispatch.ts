import { speaker } from '../board/speaker.ts';
import { tellWatched } from '../board/watched.ts';
import type { Context } from '../context.ts';

/** A task to an agent: by hand, or with --spawn to a worker that docket starts and waits for. */
export function run(context: Context): Promise<number> {
  const { args } = context;
  const [taskId = '', role = '', ...words] = args.operands;
  const text = words.join(' ');
  const { sender, locale } = speaker(args);
  const isHere = args.options.has('spawn');
  const asked = { actor: sender.actor, mode: isHere ? 'spawn' : 'manual' } as const;
  return tellWatched(
    (board, control) =>
      board.act(
        { intent: 'dispatch', taskId, role, ...(text !== '' && { text }) },
        { ...asked, ...control, ...(locale && { locale }) },
      ),
    context,
    { command: 'board dispatch', most: isHere ? 1 : 0 },
  );
}
