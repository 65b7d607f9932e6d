import { needed } from '../args.ts';
import type { Context } from '../context.ts';
import { answerGate } from '../task/answer.ts';

export async function run(context: Context): Promise<number> {
  return answerGate(context, { decision: 'rejected', note: needed(context.args, 'note', 'gate reject') });
}
