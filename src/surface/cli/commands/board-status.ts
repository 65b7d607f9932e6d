import { tellHeard } from '../board/heard.ts';
import { ownLocale, speaker } from '../board/speaker.ts';
import type { Context } from '../context.ts';

/** The board in a few lines, or one of its tasks. Nobody said anything whose language could be answered in. */
export function run(context: Context): Promise<number> {
  const { args, world } = context;
  const about = args.operands[0] ?? (args.options.has('all') ? 'all' : '');
  const text = `status ${about}`.trim();
  return tellHeard({ text, locale: ownLocale(world.env), ...speaker(args) }, context);
}
