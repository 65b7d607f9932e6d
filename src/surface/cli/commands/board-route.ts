import { tellRoute } from '../board/route.ts';
import { textOf } from '../board/text.ts';
import type { Context } from '../context.ts';

export async function run(context: Context): Promise<number> {
  return tellRoute(await textOf(context, 'board route'), context);
}
