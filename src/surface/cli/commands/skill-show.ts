import { withApp, type Context } from '../context.ts';

export async function run(context: Context): Promise<number> {
  const { globals, out } = context;
  const text = await withApp(context, async (app) => (await app.skill()).text());
  if (globals.json) out.answer({ name: 'docket', text });
  else out.data(text.trimEnd());
  return 0;
}
