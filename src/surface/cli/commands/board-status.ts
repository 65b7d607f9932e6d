import { tellHeard } from '../board/heard.ts';
import { speaker } from '../board/speaker.ts';
import type { Context } from '../context.ts';

/** The board in a few lines, or one of its tasks. */
export function run(context: Context): Promise<number> {
  const { args } = context;
  const about = args.operands[0] ?? (args.options.has('all') ? 'all' : '');
  return tellHeard({ text: `status ${about}`.trim(), ...speaker(args) }, context);
}
