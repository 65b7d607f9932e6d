import { last } from '../args.ts';
import { capsIn } from '../caps.ts';
import type { Context } from '../context.ts';
import { act } from '../queue/act.ts';

export async function run(context: Context): Promise<number> {
  const reason = last(context.args, 'reason');
  const note = last(context.args, 'note');
  const budget = capsIn(context.args);
  return act(context, 'requeue', {
    ...(reason !== undefined && { reason }),
    ...(note !== undefined && { note }),
    ...(budget && { budget }),
  });
}
