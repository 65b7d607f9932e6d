import { last, numberIn } from '../args.ts';
import { capsIn } from '../caps.ts';
import type { Context } from '../context.ts';
import { act } from '../queue/act.ts';

export async function run(context: Context): Promise<number> {
  const { args } = context;
  const from = last(args, 'from');
  const note = last(args, 'note');
  const moreSteps = numberIn(args, 'more-steps', [1, 10_000], 'retry');
  const budget = capsIn(args);
  return act(context, 'retry', {
    ...(from !== undefined && { from }),
    ...(note !== undefined && { note }),
    ...(moreSteps !== undefined && { moreSteps }),
    ...(budget && { budget }),
  });
}
