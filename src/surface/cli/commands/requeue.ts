import { last } from '../args.ts';
import type { Context } from '../context.ts';
import { act } from '../queue/act.ts';

export async function run(context: Context): Promise<number> {
  const reason = last(context.args, 'reason');
  return act(context, 'requeue', reason === undefined ? {} : { reason });
}
