import { tellHeard } from '../board/heard.ts';
import { tellRoute } from '../board/route.ts';
import { speaker } from '../board/speaker.ts';
import { textOf } from '../board/text.ts';
import type { Context } from '../context.ts';

/** One message to the board, in plain words. */
export async function run(context: Context): Promise<number> {
  const { args } = context;
  const text = await textOf(context, 'say');
  return args.options.has('route')
    ? tellRoute(text, context)
    : tellHeard({ text, ...speaker(args) }, context);
}
