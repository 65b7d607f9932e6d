import type { App } from '../../../app.ts';
import type { Context } from '../context.ts';
import { withLive } from '../live/with-live.ts';
import { ProgressLines } from '../progress.ts';
import { streamFor } from '../stream.ts';
import { endsOnly, tellAnswer } from './heard.ts';
import { boardProgress } from './progress.ts';

type Board = Awaited<ReturnType<App['board']>>;

/** Asks the board for what workers do here and now, and shows them at work. `most`: so many tasks at the most. */
export function tellWatched(
  ask: Parameters<typeof tellAnswer>[0],
  context: Context,
  { command, most }: { command: string; most: number },
): Promise<number> {
  return withLive(context, async ({ shown, live }) => {
    const stream = streamFor(context, command);
    if (stream)
      return tellAnswer(
        ask,
        shown,
        boardProgress((progress) => stream.tellOther(progress)),
      );
    if (!live) return tellAnswer(ask, shown, endsOnly(shown));
    const lines = new ProgressLines(shown, live);
    const asked: typeof ask = async (board, control) => {
      lines.expect(Math.min(most, await waitingOn(board)));
      return ask(board, control);
    };
    return tellAnswer(
      asked,
      shown,
      boardProgress((progress) => lines.tellOther(progress)),
    );
  });
}

async function waitingOn(board: Board): Promise<number> {
  return (await board.list()).filter(({ status }) => status === 'pending').length;
}
