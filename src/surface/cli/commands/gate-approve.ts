import { last } from '../args.ts';
import type { Context } from '../context.ts';
import { answerGate } from '../task/answer.ts';

export async function run(context: Context): Promise<number> {
  const note = last(context.args, 'note');
  const choice = last(context.args, 'choice');
  return answerGate(context, {
    decision: 'approved',
    ...(note !== undefined && { note }),
    ...(choice !== undefined && { choice }),
  });
}
