import { DocketError } from '../../errors.ts';
import type { Masker } from '../../render/masker.ts';
import type { Store } from '../../store/store.ts';
import type { Run } from '../../task/run.ts';
import type { Text } from '../../task/schema.ts';
import type { Graph } from '../../workflow/graph.ts';

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
    const fix = 'restore .docket from a backup, or start it anew: docket retry --from <step>';
    throw new DocketError('BAD_FILE', 'the workflow that this run began with is missing', fix, {});
  }
  const graph = JSON.parse(Buffer.from(bytes).toString('utf8')) as Graph;
  if (graph.v === 1) return graph;
  const fix = 'go on with the newer docket';
  throw new DocketError('NEWER_FORMAT', 'this run was begun by a newer docket', fix, {});
}
