import type { TaskDirectories } from '../../../kinds/directory/api.ts';
import { withApp, type Context } from '../context.ts';

/** The one task that most of these commands are about, as it was typed. */
export function named({ args }: Context): string {
  return args.operands[0] ?? '';
}

export async function withTasks<T>(
  context: Context,
  use: (tasks: TaskDirectories) => Promise<T>,
): Promise<T> {
  return withApp(context, async (app) => use(await app.tasks()));
}
