import type { Graph } from '../workflow/graph.ts';
import { nodeWords, shortCondition } from './graph-words.ts';

/** A Mermaid flowchart. Its words have ids of their own, because some words end a drawing. */
export function mermaidOf(graph: Graph): string {
  const { boxes, arrows } = pictureOf(graph);
  const ids = new Map(boxes.map(({ id }, at) => [id, `n${at}`]));
  const lines = ['flowchart TD', ...boxes.flatMap((box) => boxLines(box, ids.get(box.id) ?? ''))];
  for (const { from, to, labels, dashed } of arrows) {
    const label = labels.length === 0 ? '' : `|"${quoted(labels.join(' / '))}"|`;
    lines.push(`  ${ids.get(from)} ${dashed ? '-.->' : '-->'}${label} ${ids.get(to)}`);
  }
  return `${lines.join('\n')}\n`;
}

function boxLines({ kind, title, note, parts }: Box, id: string): string[] {
  const text = `"${quoted(title)}${note === '' ? '' : `<br/>${quoted(note)}`}"`;
  switch (kind) {
    case 'start':
    case 'done':
    case 'failed':
      return [`  ${id}([${text}])`];
    case 'checks':
      return [`  ${id}[[${text}]]`];
    case 'judge':
      return [`  ${id}{{${text}}}`];
    case 'fan': {
      const inner = parts.map((part, at) => `    ${id}p${at}["${quoted(part)}"]`);
      return [`  subgraph ${id}[${text}]`, '    direction LR', ...inner, '  end'];
    }
    case 'work':
      return [`  ${id}[${text}]`];
  }
}

/** Text of a workflow's author: nothing in it can end the quotes or become a tag. */
function quoted(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').slice(0, 300);
  return plain.replaceAll(/[#"<>&`\\|]/g, (char) => `#${char.codePointAt(0)};`);
}

interface Box {
  id: string;
  kind: 'start' | 'work' | 'checks' | 'fan' | 'judge' | 'done' | 'failed';
  title: string;
  note: string;
  /** The steps that it runs at once. */
  parts: readonly string[];
}

interface Arrow {
  from: string;
  to: string;
  labels: readonly string[];
  dashed: boolean;
}

/** What a drawing of a workflow shows, whatever it is drawn with. Ids of ends cannot be those of steps. */
function pictureOf(graph: Graph): { boxes: Box[]; arrows: Arrow[] } {
  const parts = new Set(Object.values(graph.nodes).flatMap((node) => node.parts ?? []));
  const judges = new Set(graph.monitors.map(({ judge }) => judge));
  const shown = Object.values(graph.nodes).filter(({ id }) => !parts.has(id));
  const boxes: Box[] = [{ id: '--start', kind: 'start', title: graph.name, note: '', parts: [] }];
  const arrows = new Map<string, { from: string; to: string; labels: string[]; dashed: boolean }>();
  const arrow = (from: string, to: string, label: string, dashed = false): void => {
    const key = `${from} ${to} ${dashed}`;
    const known = arrows.get(key) ?? { from, to, labels: [], dashed };
    if (label !== '') known.labels.push(label);
    arrows.set(key, known);
  };
  arrow('--start', graph.start, '');
  for (const node of shown) {
    boxes.push({
      id: node.id,
      kind: judges.has(node.id) ? 'judge' : node.kind,
      title: node.title,
      note: nodeWords(node),
      parts: (node.parts ?? []).map((part) => graph.nodes[part]?.title ?? part),
    });
    for (const rule of node.rules)
      arrow(node.id, 'step' in rule.next ? rule.next.step : `--${rule.next.end}`, shortCondition(rule));
  }
  for (const { cycle, threshold, judge } of graph.monitors)
    arrow(cycle.at(-1) ?? judge, judge, `${threshold} rounds`, true);
  const all = [...arrows.values()];
  for (const [kind, title] of [
    ['done', 'COMPLETE'],
    ['failed', 'ABORT'],
  ] as const)
    if (all.some(({ to }) => to === `--${kind}`))
      boxes.push({ id: `--${kind}`, kind, title, note: '', parts: [] });
  return { boxes, arrows: all };
}
