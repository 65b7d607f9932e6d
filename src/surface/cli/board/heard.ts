import type { App } from '../../../app.ts';
import { withApp, type Context } from '../context.ts';
import { visible } from '../visible.ts';

type Board = Awaited<ReturnType<App['board']>>;
type Said = Omit<Parameters<Board['say']>[0], 'signal'>;

/** Says it, and prints the answer. The exit code follows it: a refusal is one, whatever its words. */
export async function tellHeard(said: Said, context: Context): Promise<number> {
  const { out, globals, world } = context;
  const stop = new AbortController();
  const deaf = world.onStop(() => stop.abort('shutdown'));
  try {
    const heard = await withApp(context, async (app) =>
      (await app.board()).say({ ...said, signal: stop.signal }),
    );
    const { outcome, reply, route, notices, acceptance } = heard;
    const { intent, ...about } = route.intent;
    const isNo = outcome.kind === 'refused' || outcome.kind === 'unknown' || outcome.kind === 'bad_path';
    const data = { intent, ...about, outcome, reply, notices, ...(acceptance && { acceptance }) };
    if (!globals.json) for (const line of reply.split('\n')) out.data(visible(line));
    else if (!isNo) out.answer(data);
    else
      out.refuse(
        { code: 'REFUSED', message: reply.split('\n')[0] ?? '', fix: 'docket say help', data: {} },
        data,
      );
    if (!isNo) return outcome.kind === 'moved' && outcome.move === 'gated' ? 5 : 0;
    return outcome.kind === 'refused' && outcome.code === 'not_found'
      ? 3
      : outcome.kind === 'unknown'
        ? 2
        : 4;
  } finally {
    deaf();
  }
}
