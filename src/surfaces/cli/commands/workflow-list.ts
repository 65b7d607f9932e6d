import * as v from 'valibot';
import type { WorkflowRow } from '../../../project/workflow/workflows.ts';
import { alignedRows, type AlignedRow } from '../frame/aligned.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { warnOf } from '../frame/findings.ts';
import * as json from '../frame/json.ts';
import { columnsOf } from '../frame/style.ts';
import { withWorkflows } from '../workflow/workflows.ts';

const row = json.like<WorkflowRow>()(
  v.strictObject({
    name: json.text,
    layer: json.described(json.text, 'Where it was found: project, user or builtin.'),
    steps: json.count,
    description: json.text,
    file: json.text,
    callable: json.described(json.flag, 'It was made to be called by others.'),
    hides: json.described(json.texts, 'Layers that have one of the same name, which is not used.'),
  }),
);

export const command: Definition = {
  options: [],
  notes: [
    'Columns: name, layer (project over user over built-in), steps, description.',
    'A task takes one with docket add --workflow NAME.',
  ],
  examples: ['docket workflow list', "docket workflow list --json | jq -r '.workflows[].file'"],
  answer: json.one('The workflows that are there, one for each name.', {
    workflows: v.array(row),
    findings: json.findings,
  }),
  run,
};

async function run(context: Context): Promise<number> {
  const { globals, world, out } = context;
  const { workflows, findings } = await withWorkflows(context, (all) => all.list());
  if (globals.json) {
    out.answer({ workflows, findings });
    return 0;
  }
  warnOf(findings, context);
  const paint = out.paintData;
  const rows: AlignedRow[] = workflows.map(({ name, layer, steps, description, callable, hides }) => {
    const notes = [callable ? 'called by others' : '', ...hides.map((other) => `hides the ${other} one`)];
    const note = notes.filter((text) => text !== '').join(', ');
    return {
      cells: [name, layer, String(steps)],
      last: note === '' ? description : `${description} [${note}]`,
    };
  });
  const cells = ['NAME', 'LAYER', 'STEPS'].map((text) => ({ text, color: 'dim' as const }));
  if (world.stdout.isTTY === true) rows.unshift({ cells, last: () => paint('dim', 'DESCRIPTION') });
  out.data(alignedRows(rows, columnsOf(world.stdout, world.env), paint).join('\n'));
  return 0;
}
