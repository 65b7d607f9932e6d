import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import type { Masker } from '../../render/masker.ts';
import type { Store } from '../../store/store.ts';
import type { Run } from '../../task/run.ts';
import type { Text } from '../../task/schema.ts';
import { compileWorkflow } from '../../workflow/file/compile.ts';
import type { Library, Source } from '../../workflow/file/library.ts';
import type { Check, Graph } from '../../workflow/graph.ts';
import { findSource, invalid } from '../../workflows/find.ts';
import { type Here, layersOf } from '../../workflows/layers.ts';
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

/** Its words as an agent may read them. Commands are for a shell, and have to stay what they are. */
export function withoutSecrets(graph: Graph, { value }: Pick<Masker, 'value'>): Graph {
  const masked = value(graph);
  if (masked === graph) return graph;
  const before = Object.values(graph.nodes);
  const nodes = Object.entries(masked.nodes).map(
    ([id, node], at) => [id, { ...node, checks: before[at]?.checks ?? [] }] as const,
  );
  return { ...masked, nodes: Object.fromEntries(nodes) };
}

/** Keeps a graph for its run. Tasks with the same one share it: it is known by its hash. */
export async function freeze(store: Store, graph: Graph): Promise<Text> {
  const bytes = Buffer.from(JSON.stringify(graph));
  return { blob: await store.blobs.put(bytes), bytes: bytes.length };
}

/** The graph that a run began with; undefined: it began with none. */
export async function frozen(store: Store, run: Run | undefined): Promise<Graph | undefined> {
  const kept = run?.workflow;
  if (kept === undefined) return undefined;
  const bytes = typeof kept === 'string' ? Buffer.from(kept) : await store.blobs.get(kept.blob);
  if (!bytes) {
    const todo = fix`restore .docket from a backup, or start it anew: ${command`retry <task> --from <step>`}`;
    throw new DocketError('BAD_FILE', 'the workflow that this run began with is missing', todo, {});
  }
  const graph = JSON.parse(Buffer.from(bytes).toString('utf8')) as Graph;
  if (graph.v === 1) return graph;
  const todo = 'go on with the newer docket';
  throw new DocketError('NEWER_FORMAT', 'this run was begun by a newer docket', todo, {});
}
