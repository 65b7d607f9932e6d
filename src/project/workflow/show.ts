import { compileHere, findSource, invalid } from '../../workflows/find.ts';
import type { Here } from '../../workflows/layers.ts';
import type { WorkflowView } from './api.ts';

/** One that others call is shown too, as if it stood alone. */
export function showWorkflow(name: string, here: Here): WorkflowView {
  const source = findSource(name, here);
  const { graph, description = '', problems } = compileHere(source, here, { alone: true });
  if (!graph) throw invalid(name, problems, here.root);
  return { name: source.name, layer: source.layer, file: source.file, description, graph };
}
