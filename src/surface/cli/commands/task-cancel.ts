import { last } from '../args.ts';
import type { Context } from '../context.ts';
import { named, withTasks } from '../task/directories.ts';
import { stateOf, taskFields } from '../task/fields.ts';
import { visible } from '../visible.ts';

export async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const reason = last(args, 'reason');
  const input = reason === undefined ? {} : { reason };
  const directory = await withTasks(context, (tasks) => tasks.cancel(named(context), input));
  if (globals.json) out.answer(taskFields(directory));
  else out.data(`${visible(directory.id)} is ${visible(stateOf(directory))}`);
  return 0;
}
