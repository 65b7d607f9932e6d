import path from 'node:path';
import { DocketError } from '../errors.ts';
import { command, fix } from '../errors/command.ts';
import { realFolder } from '../io/links.ts';
import { type Compiled, compileWorkflow } from '../workflow/file/compile.ts';
import type { Problem } from '../workflow/file/fields.ts';
import type { Source } from '../workflow/file/library.ts';
import type { Check, Graph, Node } from '../workflow/graph.ts';
import { type Here, layersOf } from './layers.ts';
import { isPath, libraryOf, noWorkflow, readSource, sourceNamed } from './library.ts';
import { packetGraph } from './packet-workflow.ts';

/** The workflow of that name or path, ready to run. `acceptance`: what `commands: project` stands for. */
export function findWorkflow(name: string, here: Here, acceptance: readonly Check[] = []): Graph {
  const packet = packetGraph(name);
  if (packet) return packet;
  const { graph, problems } = compileHere(findSource(name, here), here, { acceptance });
  if (!graph) throw invalid(name, problems, here.root);
  const remarks = problems.filter(({ severity }) => severity === 'warning').length;
  if (remarks > 0)
    here.warn?.(fix`workflow ${name}: ${remarks} remarks; see ${command`workflow check ${name}`}`.text);
  return graph;
}

/** Its file. An unknown name is an error that names the nearest one. */
export function findSource(name: string, here: Here): Source {
  const layers = layersOf(here);
  const found = isPath(name) ? sourceAt(name, here) : sourceNamed(layers, name);
  if (found) return found;
  const { missing, fix: todo } = noWorkflow(name, layers, here.root);
  throw new DocketError('NOT_FOUND', missing, todo, { workflow: name });
}

export function compileHere(
  source: Source,
  here: Here,
  options: Parameters<typeof compileWorkflow>[2] = {},
): Compiled {
  return compileWorkflow(source, libraryOf(layersOf(here), here.root), options);
}

/** A path counts from the root and stays inside it. What lies in a layer keeps that layer's rules. */
function sourceAt(name: string, here: Here): Source | undefined {
  const root = realFolder(here.root);
  const file = path.resolve(root, name);
  const layer = layersOf(here).find(({ folder }) => !path.relative(folder, file).startsWith('..'));
  if (layer && layer.name === 'project') return readSource({ layer: 'project', folder: layer.folder }, file);
  return readSource({ layer: 'path', folder: root }, file);
}

export function invalid(name: string, problems: readonly Problem[], root: string): DocketError {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const lines = errors.map(({ file, line, column, message, fix }) => {
    const shown = path.relative(root, file);
    return `${shown.startsWith('..') ? file : shown}:${line}:${column}: ${message} (${fix})`;
  });
  return new DocketError(
    'INVALID',
    lines.join('\n'),
    fix`mend it, then try ${command`workflow check ${name}`}`,
    {
      workflow: name,
      problems: errors,
    },
  );
}

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
