import type { Docket } from '../../../project/docket.ts';
import type { Context } from '../frame/context.ts';
import { streamFor } from '../frame/stream.ts';
import { withLive } from '../live/live.ts';
import { ProgressLines, taskWords } from '../live/progress.ts';
import { tellAnswer } from './heard.ts';

type Board = Awaited<ReturnType<Docket['board']>>;

/** Asks the board for what workers do here and now, and shows them at work. `most`: so many tasks at the most. */
export function tellWatched(
  ask: Parameters<typeof tellAnswer>[0],
  context: Context,
  { command, most }: { command: string; most: number },
): Promise<number> {
  return withLive(context, async ({ shown, live }) => {
    const stream = streamFor(context, command);
    if (stream) return tellAnswer(ask, shown, { onProgress: stream.tell });
    if (!live) return tellAnswer(ask, shown);
    const lines = new ProgressLines(shown, live, taskWords(shown));
    const asked: typeof ask = async (board, control) => {
      lines.expect(Math.min(most, await waitingOn(board)));
      return ask(board, control);
    };
    return tellAnswer(asked, shown, { onProgress: (progress) => lines.tell(progress) });
  });
}

async function waitingOn(board: Board): Promise<number> {
  return (await board.list()).filter(({ status }) => status === 'pending').length;
}
