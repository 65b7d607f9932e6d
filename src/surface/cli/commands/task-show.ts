import type { Context } from '../context.ts';
import { named, withTasks } from '../task/directories.ts';
import { joinedFile, taskFields } from '../task/fields.ts';
import { showLines } from '../task/show.ts';
import { stepViews } from '../task/steps.ts';

export async function run(context: Context): Promise<number> {
  const { globals, out } = context;
  const directory = await withTasks(context, (tasks) => tasks.show(named(context)));
  if (globals.json) {
    const { task } = directory;
    const joined = joinedFile(directory);
    const more = { ...(task.run && { goal: task.run.goal }), ...(joined !== undefined && { joined }) };
    out.answer({ ...taskFields(directory), steps: stepViews(task), ...more });
  } else out.data(showLines(directory, context).join('\n'));
  return 0;
}
