import type { Graph } from '../workflow/graph.ts';
import { pictureOf, type Box } from './graph-picture.ts';

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
