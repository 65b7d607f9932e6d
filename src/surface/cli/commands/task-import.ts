import { resolve } from 'node:path';
import type { Context } from '../context.ts';
import { copyable } from '../copyable.ts';
import { named, withTasks } from '../task/directories.ts';
import { taskFields } from '../task/fields.ts';
import { visible } from '../visible.ts';

export async function run(context: Context): Promise<number> {
  const { args, globals, world, out } = context;
  const dryRun = args.options.has('dry-run');
  const file = resolve(world.cwd, named(context));
  const { found, made } = await withTasks(context, async (tasks) => {
    const read = await tasks.import({ file, dryRun });
    return { found: read, made: dryRun ? undefined : await tasks.show(read.id) };
  });
  const { id, files } = found;
  if (globals.json) out.answer({ ...(made ? taskFields(made) : { id }), files, dryRun });
  else {
    out.data(visible(id));
    const next = dryRun ? 'nothing was written' : `see it: ${copyable(context, 'task', 'show', id)}`;
    out.talk(`${files} files; ${next}`);
  }
  return 0;
}
