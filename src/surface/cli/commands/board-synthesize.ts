import { tellHeard } from '../board/heard.ts';
import { speaker } from '../board/speaker.ts';
import type { Context } from '../context.ts';

/** What came of the work, a line per task. */
export function run(context: Context): Promise<number> {
  const { args } = context;
  return tellHeard({ text: `synthesize ${args.operands[0] ?? ''}`.trim(), ...speaker(args) }, context);
}
