import { compileWorkflow } from '../workflow/file/compile.ts';
import type { Node } from '../workflow/graph.ts';
import { layersOf } from './layers.ts';
import { libraryOf, sourceNamed } from './library.ts';

let told: string | undefined;

/**
 * Does this step say what the one step of docket's own `quick` says? That is what any agent knows: who is told the work
 * alone misses nothing. A workflow or a text of the project's own under the same name is something else.
 */
export function saysNoMoreThanQuick({ prompt }: Node): boolean {
  told ??= promptOfQuick();
  return JSON.stringify(prompt) === told;
}

function promptOfQuick(): string {
  const layers = layersOf({ root: '', env: {} }).filter(({ name }) => name === 'built-in');
  const source = sourceNamed(layers, 'quick');
  const { graph } = source ? compileWorkflow(source, libraryOf(layers, source.folder)) : {};
  return JSON.stringify(graph?.nodes[graph.start]?.prompt);
}
