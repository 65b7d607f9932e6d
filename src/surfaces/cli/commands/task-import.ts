import { resolve } from 'node:path';
import * as v from 'valibot';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { copyable } from '../frame/copyable.ts';
import * as json from '../frame/json.ts';
import { visible } from '../frame/visible.ts';
import { named, taskFields, withTasks } from '../task/fields.ts';
import { directory, openAnswer, openOne } from '../task/schema.ts';

export const command: Definition = {
  operand: { kind: 'file', label: '<file>', min: 1, max: 1 },
  options: [{ name: 'dry-run', summary: 'Check it; write nothing' }],
  notes: ['Prints the id of the task. What is there already is never overwritten.'],
  examples: ['docket task import parser.tar.gz --dry-run', 'docket task import parser.tar.gz'],
  answer: openOne(
    'The task that was taken out of an archive; of a dry run only its id.',
    v.union([
      openAnswer({ ...directory.about, files: json.count, dryRun: json.dryRun }),
      json.answer({ id: json.id, files: json.count, dryRun: json.dryRun }),
    ]),
  ),
  run,
};

async function run(context: Context): Promise<number> {
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
