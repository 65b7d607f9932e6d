import type { SpawnStep } from '../../../kinds/board/steps.ts';
import { type BoardProgress, ofBoard } from '../../../project/all/errand-step.ts';
import type { Docket } from '../../../project/docket.ts';
import type { Context } from '../frame/context.ts';
import { type OtherProgress, streamFor } from '../frame/stream.ts';
import { withLive } from '../live/live.ts';
import { ProgressLines } from '../live/progress.ts';
import { endsOnly, tellAnswer } from './heard.ts';

type Board = Awaited<ReturnType<Docket['board']>>;

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

const statuses = { done: 'done', blocked: 'blocked', stopped: 'queued', lost: undefined } as const;

/** What the workers of the board do, task by task, for who shows it. */
export function boardProgress(tell: (progress: OtherProgress) => void) {
  /** What the last step of each was seen to end with: nothing is told twice. */
  const begun = new Map<string, string>();
  return {
    onProgress: (id: string, progress: BoardProgress): void => {
      const about = { layout: 'board', id } as const;
      if (!begun.has(id)) tell({ ...about, kind: 'started' });
      const step = ofBoard(id, progress);
      begun.set(id, step.kind === 'stepped' ? step.summary : '');
      tell({ ...about, ...step });
    },
    onStep: ({ taskId: id, decision, detail }: SpawnStep): void => {
      const isTold = begun.get(id) === detail;
      begun.delete(id);
      const status = statuses[decision];
      const said = isTold ? {} : { said: detail };
      tell({ layout: 'board', id, kind: 'ended', ...said, ...(status && { task: { status } }) });
    },
  };
}
