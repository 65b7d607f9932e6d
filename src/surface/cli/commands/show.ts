import type { Context } from '../context.ts';
import { withQueue } from '../queue/queue.ts';
import { showLines } from '../queue/show.ts';

export async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const [ref = ''] = args.operands;
  const details = await withQueue(context, (queue) => queue.show(ref));
  const { task, ...rest } = details;
  if (globals.json) out.answer({ id: task.id, status: task.status, ...rest, task });
  else out.data(showLines(details, context).join('\n'));
  return 0;
}
