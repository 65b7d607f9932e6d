import type { Finding } from '../../store/store.ts';
import type { Graph } from '../../workflow/graph.ts';
import type { Here } from '../../workflows/layers.ts';

/** What only some commands need is loaded by those. */
export function makeWorkflows(here: Here): Workflows {
  return {
    list: async () => (await import('./list.ts')).listWorkflows(here),
    show: async (name) => (await import('./show.ts')).showWorkflow(name, here),
    check: async (names) => (await import('./check.ts')).checkWorkflows(names, here),
    make: async (input) => (await import('./make.ts')).makeWorkflow(input, here),
    draw: async (name, out) => (await import('./show.ts')).drawWorkflow(name, out, here),
  };
}

/** Workflows by their names or paths. What only reads changes no byte. */
export interface Workflows {
  /** One row for each name; what hides behind a name of a nearer layer is told with it. */
  list(): Promise<{ workflows: WorkflowRow[]; findings: Finding[] }>;
  show(name: string): Promise<WorkflowView>;
  /** All that is wrong with these, or with all that are there. */
  check(names: readonly string[]): Promise<Finding[]>;
  /** Writes a new one to `.takt/workflows`, never over another. */
  make(input: NewWorkflow): Promise<{ name: string; file: string }>;
  /** As text for Mermaid; with `out` it is written to that file, too. */
  draw(name: string, out?: Drawn): Promise<string>;
}

export interface Drawn {
  file: string;
  /** Also over one that is there. */
  force: boolean;
}

export interface WorkflowRow {
  name: string;
  layer: string;
  steps: number;
  description: string;
  file: string;
  /** It was made to be called by others. */
  callable: boolean;
  /** Layers that have one of the same name, which is not used. */
  hides: string[];
}

export interface WorkflowView {
  name: string;
  layer: string;
  file: string;
  description: string;
  graph: Graph;
}

export interface NewWorkflow {
  name: string;
  /** A workflow to begin with, or one of docket's templates. */
  from: { workflow: string } | { template: 'minimal' | 'full' };
}
