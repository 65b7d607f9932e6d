import { withApp, type Context } from '../context.ts';
import { speaker } from './speaker.ts';

/** What a text means. Nothing is done. */
export async function tellRoute(text: string, context: Context): Promise<number> {
  const { args, out, globals } = context;
  const route = await withApp(context, async (app) => (await app.board()).route({ text, ...speaker(args) }));
  if (globals.json) out.answer({ ...route });
  else out.data(JSON.stringify(route, undefined, 2));
  return 0;
}
