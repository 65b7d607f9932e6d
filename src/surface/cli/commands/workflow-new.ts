import { relative } from 'node:path';
import { last, usage } from '../args.ts';
import type { Context } from '../context.ts';
import { copyable } from '../copyable.ts';
import { named } from '../task/directories.ts';
import { visible } from '../visible.ts';
import { withWorkflows, workflowName } from '../workflow/workflows.ts';

export async function run(context: Context): Promise<number> {
  const { args, globals, world, out } = context;
  const from = last(args, 'from');
  const template = last(args, 'template');
  if (from !== undefined && template !== undefined)
    throw usage('--from and --template exclude each other', 'give one of them', 'workflow new');
  const made = await withWorkflows(context, (all) =>
    all.make({
      name: named(context),
      from:
        from === undefined
          ? { template: template === 'full' ? 'full' : 'minimal' }
          : { workflow: workflowName(from, context) },
    }),
  );
  if (globals.json) out.answer({ ...made });
  else {
    out.data(visible(relative(world.cwd, made.file) || made.file));
    out.talk(`Edit it, then: ${copyable(context, 'workflow', 'check', made.name)}`);
  }
  return 0;
}
