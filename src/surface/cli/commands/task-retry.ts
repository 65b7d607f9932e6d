import { last } from '../args.ts';
import type { Context } from '../context.ts';
import { running } from '../task/running.ts';

export async function run(context: Context): Promise<number> {
  const [id = '', ...steps] = context.args.operands;
  const note = last(context.args, 'note');
  const again = { ...(steps.length > 0 && { steps }), ...(note !== undefined && { note }) };
  return running(context, 'task retry', (tasks, control) => tasks.retry(id, { ...control, ...again }));
}
