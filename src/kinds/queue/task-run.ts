import type { Agent } from '../../adapters/agent.ts';
import type { Masking } from '../../engine/masking.ts';
import type { StepProgress } from '../../engine/progress.ts';
import type { Prover } from '../../engine/prove.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import type { Config } from '../../settings/config.ts';
import type { Store } from '../../store/store.ts';
import type { Step } from '../../task/run.ts';
import type { Task } from '../../task/schema.ts';
import type { Graph, Node } from '../../workflow/graph.ts';
import { nodeOf } from '../../workflow/next.ts';
import type { QueueProject } from './kind.ts';
import type { RunFolder } from './run-folder.ts';
import type { Watched } from './watched-tree.ts';

/** One claimed task of the queue while docket works on it. */
export interface TaskRun {
  places: QueueProject;
  store: Store;
  config: Config;
  graph: Graph;
  /** Where it is worked on. */
  cwd: string;
  /** Its own workspace, whole; absent: it is worked on in place. */
  workspace?: string;
  /** The environment of its agents and checks. */
  env: Readonly<Record<string, string | undefined>>;
  /** The task's words, whole. */
  body: string;
  folder: RunFolder;
  /** The work tree, as docket sees it between steps. */
  tree: Watched;
  /** It can come to the same step again and again. */
  circles: boolean;
  /** Says whether what was done is proved. */
  prover: Prover;
  signal: AbortSignal;
  masking: Masking;
  /** Who does a step, with what it may do. */
  agentFor: (node: Node, task: Task) => Promise<Agent>;
  /** Who watches is told. */
  onProgress?: (progress: StepProgress) => void;
}

export function nodeFor({ graph }: TaskRun, step: Step): Node {
  const node = nodeOf(graph, step);
  if (!node) throw new Error(`step ${step.id} is of no node of ${graph.name}`);
  return node;
}

/** The folder below which each step of a task has its attempts. */
export function attemptsOf({ places }: TaskRun, { id }: Task): string {
  return makeOwnFolder(places.dir, 'attempts', id);
}
