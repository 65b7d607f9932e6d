import type { App } from '../../../app.ts';
import type { LogEntry } from '../../../app/logs/api.ts';
import type { View } from '../../../app/view/types.ts';
import { DocketError } from '../../../errors.ts';
import type { KindName } from '../../../kinds/names.ts';
import { withApp, type Context } from '../context.ts';
import { liveLines } from '../live/lines.ts';
import { Screen } from '../live/screen.ts';
import { AtWork } from './at-work.ts';
import { viewFields } from './fields.ts';
import { viewLines } from './lines.ts';
import { lookOf } from './look.ts';

const everyMs = 1000;

/** Ends when it is told to, or when nobody reads it any more: both are a good end. */
export async function watch(context: Context, query: { layout?: KindName }): Promise<number> {
  const { world } = context;
  const stop = new AbortController();
  const deaf = world.onStop(() => stop.abort());
  world.stdout.onGone?.(() => stop.abort());
  const { show, hear } = shower(context);
  try {
    await withApp(context, async (app) => {
      const viewer = await app.view();
      const heard = hear && listen(app, hear, stop.signal);
      for await (const view of viewer.watch(query, everyMs, stop.signal)) show(view);
      await heard;
    });
    return 0;
  } finally {
    deaf();
  }
}

/** Only the live lines depend on it: what is wrong with the files, the view itself tells. */
async function listen(app: App, hear: (entry: LogEntry) => void, signal: AbortSignal): Promise<void> {
  try {
    for await (const entry of app.logs(undefined, { follow: true, signal })) hear(entry);
  } catch (error) {
    if (!(error instanceof DocketError)) throw error;
  }
}

interface Shower {
  show: (view: View) => void;
  /** What agents say meanwhile. */
  hear?: (entry: LogEntry) => void;
}

/** A terminal is written over in place; a pipe gets the whole whenever something is another than before. */
function shower(context: Context): Shower {
  const { args, globals, out, world } = context;
  const { stdout } = world;
  const all = args.options.has('all');
  if (stdout.isTTY === true && !globals.json) {
    const screen = new Screen();
    const work = new AtWork(world.now());
    const show = (view: View): void => {
      work.see(view);
      const look = lookOf(context);
      const room = Math.max(2, (stdout.rows ?? 24) - 1);
      const live = liveLines(work.state, { ...look, height: Math.ceil(room / 2) });
      const lines = viewLines(view, look, { live: true, all }).slice(0, room - live.length);
      stdout.write(screen.frame([...lines, ...live], look.columns));
    };
    return { show, hear: (entry) => work.hear(entry) };
  }
  let before = '';
  const show = (view: View): void => {
    const { at: _, ...rest } = view;
    const now = JSON.stringify(rest);
    if (now === before) return;
    const isFirst = before === '';
    before = now;
    if (globals.json) out.line({ v: 1, ok: true, ...viewFields(view, context) });
    else
      out.data(`${isFirst ? '' : '\n'}${[view.at, ...viewLines(view, lookOf(context), { all })].join('\n')}`);
  };
  return { show };
}
