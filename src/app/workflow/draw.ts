import { DocketError } from '../../errors.ts';
import { createFile, replaceFile } from '../../io/files.ts';
import { mermaidOf } from '../../render/graph-mermaid.ts';
import { svgOf } from '../../render/graph-svg.ts';
import type { Here } from './layers.ts';
import { showWorkflow } from './show.ts';

/** A drawing may be drawn again over the old one, but over nothing that looks like something else. */
const drawings = /\.(?:svg|mmd|mermaid)$/i;

export function drawWorkflow(
  name: string,
  format: 'mermaid' | 'svg',
  out: string | undefined,
  here: Here,
): string {
  const { graph } = showWorkflow(name, here);
  const text = format === 'svg' ? svgOf(graph) : mermaidOf(graph);
  if (out === undefined || createFile(out, text)) return text;
  if (!drawings.test(out))
    throw new DocketError(
      'REFUSED',
      `${out} is there already`,
      'name a new file, or one that ends in .svg or .mmd',
      { file: out },
    );
  replaceFile(out, text);
  return text;
}
