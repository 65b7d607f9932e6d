import { last } from '../args.ts';
import type { Definition } from '../command.ts';
import type { Context } from '../context.ts';
import { oneWorkflow } from '../options.ts';
import { named } from '../task/directories.ts';
import { promptLines, promptOf, stepNamed } from '../workflow/prompt.ts';
import { showFields, showLines } from '../workflow/show.ts';
import { withWorkflows, workflowName } from '../workflow/workflows.ts';

export const command: Definition = {
  operand: oneWorkflow,
  options: [
    {
      name: 'prompt',
      summary: "Show what this step's agent is told instead",
      value: { kind: 'text', label: 'STEP' },
    },
  ],
  notes: ['A name, or a path that ends in .yaml. Nothing is changed.'],
  examples: ['docket workflow show default', 'docket workflow show default --prompt review'],
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const view = await withWorkflows(context, (all) => all.show(workflowName(named(context), context)));
  const asked = last(args, 'prompt');
  if (asked !== undefined) {
    const step = stepNamed(view.graph, asked);
    if (globals.json) out.answer({ name: view.name, file: view.file, ...promptOf(step) });
    else out.data(promptLines(step, out.paintData).join('\n'));
  } else if (globals.json) out.answer(showFields(view));
  else out.data(showLines(view, out.paintData).join('\n'));
  return 0;
}
