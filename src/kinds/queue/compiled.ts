import { compileWorkflow } from '../../workflow/file/compile.ts';
import type { Library, Source } from '../../workflow/file/library.ts';
import type { Check, Graph } from '../../workflow/graph.ts';
import { findSource, invalid } from '../../workflows/find.ts';
import { layersOf, type Here } from '../../workflows/layers.ts';
import { libraryOf } from '../../workflows/library.ts';
import { packetGraph } from '../../workflows/packet-workflow.ts';

interface Made {
  source: Source;
  graph: Graph;
  /** Everything else that was looked up for it, and what came of that. */
  reads: { look: (library: Library) => unknown; found: string }[];
}

/**
 * The workflows of a run, each parsed once for all of its tasks. One is made anew as soon as any of its texts is
 * another than before, or is found elsewhere.
 */
export class CompiledWorkflows {
  readonly #here: Here;
  readonly #made = new Map<string, Made>();

  constructor(here: Here) {
    this.#here = here;
  }

  /** `acceptance`: what `commands: project` stands for. */
  find(name: string, acceptance: readonly Check[]): Graph {
    const packet = packetGraph(name);
    if (packet) return packet;
    const source = findSource(name, this.#here);
    const library = libraryOf(layersOf(this.#here), this.#here.root);
    const key = JSON.stringify([name, acceptance]);
    const made = this.#made.get(key);
    if (
      made &&
      isSame(made.source, source) &&
      made.reads.every(({ look, found }) => told(look(library)) === found)
    )
      return made.graph;
    const reads: Made['reads'] = [];
    const { graph, problems } = compileWorkflow(source, noting(library, reads), { acceptance });
    if (!graph) throw invalid(name, problems, this.#here.root);
    this.#made.set(key, { source, graph, reads });
    return graph;
  }
}

function noting(library: Library, reads: Made['reads']): Library {
  const noted = <T>(look: (from: Library) => T): T => {
    const found = look(library);
    reads.push({ look, found: told(found) });
    return found;
  };
  return {
    named: (kind, name, not) => {
      const passed = new Set(not); // it may grow later
      return noted((from) => from.named(kind, name, passed));
    },
    file: (path, source) => noted((from) => from.file(path, source)),
    workflow: (name, source) => noted((from) => from.workflow(name, source)),
  };
}

function told(found: unknown): string {
  return JSON.stringify(found);
}

function isSame(a: Source, b: Source): boolean {
  return told(a) === told(b);
}
