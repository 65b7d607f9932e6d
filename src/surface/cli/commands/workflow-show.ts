import * as v from 'valibot';
import type { WorkflowView } from '../../../app/workflow/api.ts';
import { last } from '../args.ts';
import type { Definition } from '../command.ts';
import type { Context } from '../context.ts';
import * as json from '../json.ts';
import { oneWorkflow } from '../options.ts';
import { named } from '../task/directories.ts';
import { promptLines, promptOf, stepNamed } from '../workflow/prompt.ts';
import { showFields, showLines } from '../workflow/show.ts';
import { withWorkflows, workflowName } from '../workflow/workflows.ts';

type Node = WorkflowView['graph']['nodes'][string];
const permission = v.picklist(['read', 'edit', 'full']);
const check = json.like<Node['checks'][number]>()(
  v.strictObject({
    name: json.text,
    command: json.text,
    cwd: json.maybe(json.text),
    timeoutMs: json.maybe(v.number()),
  }),
);
const step = v.strictObject({
  id: json.text,
  name: json.text,
  kind: v.picklist(['work', 'checks', 'fan']),
  role: json.text,
  agent: v.nullable(json.text),
  model: v.nullable(json.text),
  permission: v.nullable(permission),
  floor: json.described(v.nullable(permission), 'At least this much, whatever the settings give.'),
  session: v.strictObject({ mode: v.picklist(['continue', 'fresh']), key: json.text }),
  reports: json.described(json.texts, 'Files that it has to hand in.'),
  checks: v.array(check),
  parts: json.described(json.texts, 'Steps that run at once in it.'),
  rules: v.array(v.strictObject({ condition: json.text, when: json.text, leadsTo: json.text })),
});
const shown = {
  name: json.text,
  layer: json.text,
  file: json.text,
  description: json.text,
  start: json.text,
  maxSteps: json.described(v.nullable(json.count), 'null: no limit.'),
  steps: v.array(step),
  monitors: v.array(
    v.strictObject({ cycle: json.texts, threshold: json.count, ignore: json.texts, judge: json.text }),
  ),
};
const facets = v.array(v.strictObject({ name: json.text, text: json.text }));
const prompt = json.like<Node['prompt']>()(
  v.strictObject({
    persona: json.maybe(json.text),
    knowledge: facets,
    instruction: json.text,
    criteria: json.texts,
    policy: facets,
    passPrevious: json.flag,
  }),
);
const prompted = {
  name: json.text,
  file: json.text,
  step: json.text,
  prompt,
  reports: v.array(
    json.like<Node['reports'][number]>()(
      v.strictObject({ name: json.text, format: json.text, judged: json.flag }),
    ),
  ),
  checks: v.array(check),
  tags: json.described(
    json.texts,
    'What its answer ends with, one of these; empty: its rules need no word of it.',
  ),
};

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
  answer: json.one('A workflow with its steps and rules; with --prompt the json.texts of one step.', shown, {
    or: [json.answer(prompted)],
  }),
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
