import { resolve } from 'node:path';
import * as v from 'valibot';
import { last, usage } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { oneWorkflow } from '../frame/options.ts';
import { visible } from '../frame/visible.ts';
import { named } from '../task/fields.ts';
import { withWorkflows, workflowName } from '../workflow/workflows.ts';

export const command: Definition = {
  operand: oneWorkflow,
  options: [
    { name: 'format', summary: 'mermaid, the only one', value: { kind: 'text', label: 'FORMAT' } },
    { name: 'out', summary: 'Write to this file', value: { kind: 'file', label: 'FILE' } },
    { name: 'force', summary: 'Also over a file that is there' },
  ],
  examples: ['docket workflow graph default', 'docket workflow graph default --out default.mmd'],
  answer: json.one('A workflow as a drawing for Mermaid: its text, or the file that it went to.', {
    name: json.text,
    format: v.picklist(['mermaid']),
    text: json.maybe(json.text),
    file: json.maybe(json.text),
  }),
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, world, out } = context;
  const file = last(args, 'out');
  const format = last(args, 'format') ?? (file?.endsWith('.svg') ? 'svg' : 'mermaid');
  if (format !== 'mermaid')
    throw usage(
      `a workflow is drawn as mermaid text, not as ${format}`,
      'write it to a file that ends in .mmd or .md, which GitHub and most editors show; mermaid-cli makes an SVG of it',
      'workflow graph',
    );
  const place = file === undefined || file === '-' ? undefined : resolve(world.cwd, file);
  const name = workflowName(named(context), context);
  const drawn = place === undefined ? undefined : { file: place, force: args.options.has('force') };
  const text = await withWorkflows(context, (all) => all.draw(name, drawn));
  if (globals.json)
    out.answer({ name: named(context), format, ...(place === undefined ? { text } : { file: place }) });
  else if (place === undefined) out.data(text.trimEnd());
  else out.talk(`Wrote ${visible(file ?? '')}.`);
  return 0;
}
