import { last } from '../args.ts';
import { withApp, type Context } from '../context.ts';
import { copyable } from '../copyable.ts';
import { explainLines } from '../explain/lines.ts';

export async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const [ref = ''] = args.operands;
  const found = await withApp(context, (app) => app.explain(ref, last(args, 'of')));
  const next = found.next.map(({ words, does }) => ({ command: copyable(context, ...words), does }));
  if (globals.json) out.answer({ ...found, next });
  else out.data(explainLines(found, next, context).join('\n'));
  return 0;
}
