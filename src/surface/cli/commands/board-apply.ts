import { tellHeard } from '../board/heard.ts';
import { speaker } from '../board/speaker.ts';
import { textOf } from '../board/text.ts';
import type { Context } from '../context.ts';

/** The same as say, under the name that scripts of the format know. */
export async function run(context: Context): Promise<number> {
  return tellHeard({ text: await textOf(context, 'board apply'), ...speaker(context.args) }, context);
}
