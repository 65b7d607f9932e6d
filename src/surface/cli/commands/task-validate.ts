import type { Context } from '../context.ts';
import { named, withTasks } from '../task/directories.ts';
import { tellFindings } from '../tell-findings.ts';

export async function run(context: Context): Promise<number> {
  return tellFindings(await withTasks(context, (tasks) => tasks.validate(named(context))), context);
}
