import type { WorkflowView } from '../../../app/workflow/api.ts';
import { nodeWords, ruleWords } from '../../../render/graph-words.ts';
import type { Paint } from '../style.ts';
import { visible } from '../visible.ts';

type Node = WorkflowView['graph']['nodes'][string];

/** What --json says about a workflow; the texts of a step are with --prompt. */
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
