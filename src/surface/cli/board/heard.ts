import type { App } from '../../../app.ts';
import { withApp, type Context } from '../context.ts';
import { visible } from '../visible.ts';
import { refusalOf } from './refusal.ts';

type Board = Awaited<ReturnType<App['board']>>;
type Heard = Awaited<ReturnType<Board['say']>>;
type Said = Omit<Parameters<Board['say']>[0], keyof Control>;
/** What goes with every request: when to stop, and who hears how far it is. */
type Control = Pick<Parameters<Board['say']>[0], 'signal' | 'onStep' | 'onProgress' | 'isHeard'>;
/** How those who work meanwhile are shown; default: a line for each that has ended. */
export type Shown = Omit<Control, 'signal' | 'isHeard'>;

/** Says it, and prints the answer. */
export function tellHeard(said: Said, context: Context): Promise<number> {
  return tellAnswer((board, control) => board.say({ ...said, ...control }), context);
}

/** Asks the board for something, and prints the answer. The exit code follows it: a refusal is one, whatever its words. */
export async function tellAnswer(
  ask: (board: Board, control: Control) => Promise<Heard>,
  context: Context,
  shown: Shown = endsOnly(context),
): Promise<number> {
  const { out, globals, world } = context;
  const stop = new AbortController();
  const deaf = world.onStop(() => stop.abort('shutdown'));
  try {
    const { heard, queued } = await withApp(context, async (app) => {
      const isHeard = async (): Promise<boolean> => (await app.chats()).reachesGroup();
      const control: Control = { signal: stop.signal, isHeard, ...shown };
      const heard = await ask(await app.board(), control);
      return { heard, queued: await handOn(heard, app) };
    });
    const { outcome, reply, route, notices, acceptance } = heard;
    const { intent, ...about } = route.intent;
    const error = refusalOf(heard);
    const more = { ...(acceptance && { acceptance }), ...(queued !== undefined && { queued }) };
    const data = { intent, ...about, outcome, reply, notices, ...more };
    if (!globals.json) for (const line of reply.split('\n')) out.data(visible(line));
    else if (error === undefined) out.answer(data);
    else out.refuse(error, data);
    if (queued === false)
      out.talk('No chat serves this board: nobody was told. Pass it on yourself, or see docket chat --help');
    return error?.exitCode ?? 0;
  } finally {
    deaf();
  }
}

export function endsOnly({ out }: Context): Shown {
  return {
    onStep: ({ taskId, agent, decision, detail }) =>
      out.talk(visible(`${taskId} ${agent}: ${decision}: ${detail}`)),
  };
}

/** What stands in no log is not told by who follows it. Undefined: there is nothing of that kind. */
async function handOn({ notices }: Heard, app: App): Promise<boolean | undefined> {
  const isLoose = notices.some(({ seq }) => seq === 0);
  return isLoose ? (await app.chats()).post(notices) : undefined;
}
