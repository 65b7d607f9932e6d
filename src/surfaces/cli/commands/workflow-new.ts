import { relative } from 'node:path';
import { last, usage } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { copyable } from '../frame/copyable.ts';
import * as json from '../frame/json.ts';
import { visible } from '../frame/visible.ts';
import { named } from '../task/fields.ts';
import { withWorkflows, workflowName } from '../workflow/workflows.ts';

export const command: Definition = {
  operand: { kind: 'text', label: '<name>', min: 1, max: 1 },
  options: [
    {
      name: 'from',
      summary: 'Begin with a copy of this workflow',
      value: { kind: 'text', names: 'workflow', label: 'WORKFLOW' },
    },
    {
      name: 'template',
      summary: 'minimal (one step) or full (default minimal)',
      value: { kind: 'oneOf', label: 'KIND', words: ['minimal', 'full'] },
    },
  ],
  notes: ['Prints the file. One that is there is never overwritten.'],
  examples: ['docket workflow new mine', 'docket workflow new default --from default'],
  answer: json.one('The workflow that was made.', { name: json.text, file: json.text }),
  run,
};

async function run(context: Context): Promise<number> {
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
