import * as v from 'valibot';
import { DocketError } from '../../../errors.ts';
import { nearest } from '../../../errors/nearest.ts';
import type { WorkflowView } from '../../../project/workflow/workflows.ts';
import { nodeWords, ruleWords } from '../../../render/graph-words.ts';
import { tagList, tagsOf } from '../../../render/step-prompt.ts';
import { last } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { oneWorkflow } from '../frame/options.ts';
import type { Paint } from '../frame/style.ts';
import { visible, visibleLines } from '../frame/visible.ts';
import { named } from '../task/fields.ts';
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

/** What --json says about a workflow; the json.texts of a step are with --prompt. */
export function showFields({ graph, ...view }: WorkflowView): Record<string, unknown> {
  return {
    ...view,
    start: graph.nodes[graph.start]?.title,
    maxSteps: graph.maxSteps ?? null,
    steps: Object.values(graph.nodes).map((node) => ({
      id: node.id,
      name: node.title,
      kind: node.kind,
      role: node.role,
      agent: node.agent ?? null,
      model: node.model ?? null,
      permission: node.permission ?? null,
      floor: node.floor ?? null,
      session: node.session,
      reports: node.reports.map(({ name }) => name),
      checks: node.checks,
      parts: (node.parts ?? []).map((part) => graph.nodes[part]?.title),
      rules: node.rules.map((rule) => ({ condition: rule.text, ...ruleWords(graph, rule) })),
    })),
    monitors: graph.monitors.map(({ cycle, threshold, ignore, judge }) => ({
      cycle: cycle.map((id) => graph.nodes[id]?.title),
      threshold,
      ignore: ignore.map((id) => graph.nodes[id]?.title),
      judge: graph.nodes[judge]?.title,
    })),
  };
}

/** One workflow as `key: value` lines, with its steps and their rules in words below. */
export function showLines({ name, layer, file, description, graph }: WorkflowView, paint: Paint): string[] {
  const parts = new Set(Object.values(graph.nodes).flatMap((node) => node.parts ?? []));
  const titles = (ids: readonly string[]) =>
    ids.map((id) => visible(graph.nodes[id]?.title ?? id)).join(', ');
  const step = (node: Node, indent: string): string[] => [
    `${indent}${paint('bold', visible(node.title))}  ${paint('dim', visible(nodeWords(node)))}`.trimEnd(),
    ...node.reports.map((report) => `${indent}  hands in ${visible(report.name)}`),
    ...node.checks.map((check) => `${indent}  runs ${visible(check.command)}`),
    ...(node.parts ?? []).flatMap((part) => {
      const inner = graph.nodes[part];
      return inner ? step(inner, `${indent}  `) : [];
    }),
    ...node.rules.map((rule) => {
      const { when, leadsTo } = ruleWords(graph, rule);
      return parts.has(node.id)
        ? `${indent}  may choose ${visible(when)}`
        : `${indent}  ${visible(when)} → ${visible(leadsTo)}`;
    }),
  ];
  return [
    `name: ${visible(name)}`,
    ...(description === '' ? [] : [`description: ${visible(description)}`]),
    `layer: ${layer}`,
    `file: ${visible(file)}`,
    `starts with: ${titles([graph.start])}`,
    `most steps: ${graph.maxSteps ?? 'no limit'}`,
    'steps:',
    ...Object.values(graph.nodes).flatMap((node) => (parts.has(node.id) ? [] : step(node, '  '))),
    ...graph.monitors.map(
      ({ cycle, threshold, judge }) => `after ${threshold} rounds of ${titles(cycle)}: ${titles([judge])}`,
    ),
  ];
}

type Graph = WorkflowView['graph'];

/** By the name that its author gave it, or by its id. */
export function stepNamed({ nodes }: Graph, typed: string): Node {
  const all = Object.values(nodes);
  const found = all.find(({ title }) => title === typed) ?? all.find(({ id }) => id === typed);
  if (found) return found;
  const titles = all.map(({ title }) => title);
  const guess = nearest(typed, titles);
  const fix =
    guess === undefined ? `write one of its steps: ${titles.join(', ')}` : `did you mean "${guess}"?`;
  throw new DocketError('NOT_FOUND', `there is no step ${typed}`, fix, { step: typed, steps: titles });
}

export function promptOf(node: Node): Record<string, unknown> {
  const { title, prompt, reports, checks } = node;
  return { step: title, prompt, reports, checks, tags: tagList(node) };
}

/** The json.texts that a step's prompt is made from, in the order in which the agent gets them. */
export function promptLines(node: Node, paint: Paint): string[] {
  const { title, kind, prompt, reports, checks } = node;
  const sections: [name: string, text: string][] = [
    ['persona', prompt.persona ?? ''],
    ...prompt.knowledge.map(({ name, text }): [string, string] => [`knowledge: ${name}`, text]),
    ['instruction', prompt.instruction],
    [
      'quality gates',
      [...prompt.criteria, ...checks.map(({ command }) => `$ ${command}`)]
        .map((line) => `- ${line}`)
        .join('\n'),
    ],
    ...prompt.policy.map(({ name, text }): [string, string] => [`policy: ${name}`, text]),
    ...reports.map(({ name, format }): [string, string] => [
      `report: ${name}`,
      format === '' ? '(in any form)' : format,
    ]),
    ['how to end', tagsOf(node)],
  ];
  const shown = sections.filter(([, text]) => text.trim() !== '');
  const lines = shown.flatMap(([name, text]) => [
    paint('bold', `## ${visible(name)}`),
    visibleLines(text, ''),
    '',
  ]);
  if (lines.length === 0)
    return [
      `${visible(title)} has no json.texts of its own${kind === 'work' ? ': its agent gets the task' : ''}.`,
    ];
  return lines.slice(0, -1);
}
