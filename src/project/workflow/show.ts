import { DocketError } from '../../errors.ts';
import { createFile, replaceFile } from '../../io/files.ts';
import { mermaidOf } from '../../render/graph-mermaid.ts';
import { compileHere, findSource, invalid } from '../../workflows/find.ts';
import type { Here } from '../../workflows/layers.ts';
import type { Drawn, WorkflowView } from './workflows.ts';

/** One that others call is shown too, as if it stood alone. */
export function showWorkflow(name: string, here: Here): WorkflowView {
  const source = findSource(name, here);
  const { graph, description = '', problems } = compileHere(source, here, { alone: true });
  if (!graph) throw invalid(name, problems, here.root);
  return { name: source.name, layer: source.layer, file: source.file, description, graph };
}

/** `out`: a file to write it to; one that is there only where that was said. */
export function drawWorkflow(name: string, out: Drawn | undefined, here: Here): string {
  const text = mermaidOf(showWorkflow(name, here).graph);
  if (out === undefined || createFile(out.file, text)) return text;
  const { file } = out;
  if (!out.force)
    throw new DocketError('REFUSED', `${file} is there already`, 'name a new file, or add --force', { file });
  replaceFile(file, text);
  return text;
}
