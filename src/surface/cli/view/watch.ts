import type { View } from '../../../app/view/types.ts';
import type { TaskKind } from '../../../render/explain/types.ts';
import { withApp, type Context } from '../context.ts';
import { Screen } from '../live/screen.ts';
import { viewFields } from './fields.ts';
import { viewLines } from './lines.ts';
import { lookOf } from './look.ts';

const everyMs = 1000;

/** Ends when it is told to, or when nobody reads it any more: both are a good end. */
export async function watch(context: Context, query: { layout?: TaskKind }): Promise<number> {
  const { world } = context;
  const stop = new AbortController();
  const deaf = world.onStop(() => stop.abort());
  world.stdout.onGone?.(() => stop.abort());
  const show = shower(context);
  try {
    await withApp(context, async (app) => {
      const viewer = await app.view();
      for await (const view of viewer.watch(query, everyMs, stop.signal)) show(view);
    });
    return 0;
  } finally {
    deaf();
  }
}

/** A terminal is written over in place; a pipe gets the whole whenever something is another than before. */
function shower(context: Context): (view: View) => void {
  const { globals, out, world } = context;
  const { stdout } = world;
  if (stdout.isTTY === true && !globals.json) {
    const screen = new Screen();
    return (view) => {
      const look = lookOf(context);
      const lines = viewLines(view, look).slice(0, Math.max(1, (stdout.rows ?? 24) - 1));
      stdout.write(screen.frame(lines, look.columns));
    };
  }
  let before = '';
  return (view) => {
    const { at: _, ...rest } = view;
    const now = JSON.stringify(rest);
    if (now === before) return;
    const isFirst = before === '';
    before = now;
    if (globals.json) out.line({ v: 1, ok: true, ...viewFields(view, context) });
    else out.data(`${isFirst ? '' : '\n'}${[view.at, ...viewLines(view, lookOf(context))].join('\n')}`);
  };
}
