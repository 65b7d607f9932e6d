import type { Sub } from '../task/run.ts';

/**
 * A workflow as a graph, with every text in it: nothing of it is looked up while it runs, so neither a person who edits
 * its files nor an agent that may write to them changes a run under way. Calls of other workflows are part of it
 * already: what they call stands here, with its ends tied to where the caller goes on.
 */
export interface Graph {
  v: 1;
  name: string;
  /** The id of the node it begins with. */
  start: string;
  /** How many steps a run may take; absent: as many as it wants. */
  maxSteps?: number;
  nodes: Readonly<Record<string, Node>>;
  monitors: readonly Monitor[];
}

/**
 * work: an agent does it. checks: docket runs its commands, and the labels "passed" and "failed" say how it went.
 * fan: its parts run at once, and its rules look at what they chose.
 */
export interface Node {
  /** Made from its name: letters, digits, "_" and single "-". */
  id: string;
  /** Its name, as its author wrote it; that of a workflow that was called begins with the caller's: `review/fix`. */
  title: string;
  kind: 'work' | 'checks' | 'fan';
  /** What part it plays. Its conversation goes on from step to step under this name, unless `session` says another. */
  role: string;
  /** Who does it: an agent's name or an adapter's, as far as the workflow says. */
  agent?: string;
  model?: string;
  permission?: Permission;
  /** At least this much, whatever the settings give. */
  floor?: Permission;
  /** The agent may commit; otherwise docket does it when the run has ended. */
  commits?: true;
  session: { mode: 'continue' | 'fresh'; key: string };
  prompt: PromptParts;
  reports: readonly ReportContract[];
  /** Run by docket when the agent has ended; a failure is told to the same step. */
  checks: readonly Check[];
  rules: readonly Rule[];
  /** Ids of the nodes that run at once, which are no targets of rules. */
  parts?: readonly string[];
  /** How many of them at once. */
  slots?: number;
  /** A task of its own does it. */
  sub?: Sub;
}

export type Permission = 'read' | 'edit' | 'full';

export interface PromptParts {
  /** Who the agent is to be. */
  persona?: string;
  knowledge: readonly Facet[];
  instruction: string;
  /** What counts as good, in words. */
  criteria: readonly string[];
  policy: readonly Facet[];
  passPrevious: boolean;
}

/** A text from a file, with the name it is known by. */
export interface Facet {
  name: string;
  text: string;
}

/** A file that the step has to hand in. */
export interface ReportContract {
  name: string;
  /** What it has to look like. */
  format: string;
  /** The choice of what follows is made from it. */
  judged: boolean;
}

export interface Check {
  name: string;
  /** For a shell. */
  command: string;
  /** From the work tree. */
  cwd?: string;
  timeoutMs?: number;
}

export interface Rule {
  condition: Condition;
  /** The condition as its author wrote it. */
  text: string;
  next: Target;
  /** What the next step is told beside. */
  appendix?: string;
  /** A person has to say something before it goes on there. */
  asks?: true;
}

/** Where a rule leads. */
export type Target = { step: string } | { end: 'done' | 'failed' };

export type Condition =
  /** What the agent says, by a tag or to a judge. */
  | { kind: 'label'; text: string }
  /** A question to a judge. */
  | { kind: 'judge'; text: string }
  | { kind: 'when'; expression: Expression }
  /** What the parts chose: by position for several labels in `all`, as a set in `any`. */
  | { kind: 'all' | 'any'; labels: readonly string[] }
  | { kind: 'and'; parts: readonly Condition[] };

/** Deterministic: `structured.ok == true && context.iteration > 3`. */
export type Expression =
  | { op: 'value'; value: string | number | boolean | null }
  | { op: 'path'; path: readonly string[] }
  | { op: '==' | '!=' | '>' | '<' | '>=' | '<=' | '&&' | '||'; left: Expression; right: Expression }
  /** `exists(structured.items, item.level == "high")` */
  | { op: 'exists'; list: Expression; test: Expression };

/** Counts rounds of the same steps, and has a judge look at them. */
export interface Monitor {
  /** Node ids, two or more. */
  cycle: readonly string[];
  threshold: number;
  ignore: readonly string[];
  /** The id of the node that judges; its rules say where it goes on. */
  judge: string;
}

/** The longest a cycle of calls may be; one that calls itself has no end. */
export const deepestCall = 8;
