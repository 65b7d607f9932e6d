import { usage } from '../args.ts';
import { tellHeard } from '../board/heard.ts';
import { speaker } from '../board/speaker.ts';
import { withApp, type Context } from '../context.ts';
import { readStdin } from '../stdin.ts';

/** One message to the board, in plain words. */
export async function run(context: Context): Promise<number> {
  const { args, out, globals } = context;
  const said = { text: await textOf(context), ...speaker(args) };
  if (args.options.has('route')) {
    const route = await withApp(context, async (app) => (await app.board()).route(said));
    if (globals.json) out.answer({ ...route });
    else out.data(JSON.stringify(route, undefined, 2));
    return 0;
  }
  return tellHeard(said, context);
}

async function textOf({ args, world }: Context): Promise<string> {
  const text =
    args.operands.length === 1 && args.operands[0] === '-'
      ? await readStdin(world.stdin)
      : args.operands.join(' ');
  if (text.trim() !== '') return text;
  throw usage('there is nothing said', 'say what you want: docket say "status"', 'say');
}
