import type { Question } from '../../adapters/adapter.ts';
import type { OnProgress } from '../../engine/progress.ts';
import type { Finding } from '../../store/store.ts';
import type { Task } from '../../task/schema.ts';

/** Task directories (`.agentmesh/tasks/<id>/`), one store each. What only reads changes no byte. */
export interface TaskDirectories {
  create(input: CreateInput): Promise<TaskDirectory>;
  /** Newest change first. What cannot be read is a finding, and hides no other. */
  list(): Promise<{ tasks: TaskDirectory[]; findings: Finding[] }>;
  show(id: string): Promise<TaskDirectory>;
  /** Lines of its log, oldest first: filtered, then cut. */
  events(id: string, query: EventQuery): Promise<LogLine[]>;
  /** The same from the first line that matches, then live ones until the signal. */
  follow(id: string, query: { prefix?: string; signal: AbortSignal }): AsyncIterable<LogLine>;
  /** Checks everything that was given before anything changes. */
  run(id: string, input: RunTaskInput): Promise<RanDirectory>;
  /** Goes on after a person has acted, or after an interruption. Refused while a gate still waits. */
  resume(id: string, input: RunControl): Promise<RanDirectory>;
  /** Lets what failed, or was given up, be tried again; what is done stays done. */
  retry(id: string, input: RunControl & AgainInput): Promise<RanDirectory>;
  /** Brings the results that are there together, also of workers that another tool ran. */
  join(id: string): Promise<TaskDirectory>;
  /** The whole task. A run of it that is under way ends its agents within seconds. */
  cancel(id: string, input: { reason?: string }): Promise<TaskDirectory>;
  /** One archive (.tar.gz) without vendor homes, logins or locks. */
  export(id: string, input: { file: string }): Promise<{ file: string; files: number; left: string[] }>;
  import(input: { file: string; dryRun: boolean }): Promise<{ id: string; files: number }>;
  validate(id: string): Promise<Finding[]>;
}

export interface CreateInput {
  title: string;
  topology: 'swarm' | 'squad';
  description?: string;
}

export interface TaskDirectory {
  id: string;
  /** From the root, with forward slashes. */
  dir: string;
  /** What task.yaml says (camelCase), as the journal knows it. */
  file: Readonly<Record<string, unknown>>;
  task: Task;
}

export interface EventQuery {
  limit: number;
  offset: number;
  /** Only types that begin so. */
  prefix?: string;
}

/** A line of events.jsonl as it stands there. */
export type LogLine = Readonly<Record<string, unknown>>;

export interface RunControl {
  signal: AbortSignal;
  onProgress?: OnProgress | undefined;
  /** Asks the person at the terminal. Absent: questions become gates that `docket gate` answers. */
  ask?: (question: Question) => Promise<string>;
  /** Agents at once, instead of the task's `maxConcurrentAgents`. */
  parallel?: number;
  /** Give an agent that cannot fork its parent's words instead of refusing. */
  emulateFork?: boolean;
  /** No agent is started: work that is not proved becomes a question at once. */
  joinOnly?: boolean;
}

export type RunTaskInput = RunControl &
  (
    | { kind: 'actions'; actions: string; source: string }
    | { kind: 'goal'; goal: string; agent?: string; maxRounds: number }
    /** What was ordered before and is not finished. */
    | { kind: 'rest' }
    /** The same with what failed: these subtasks, or all that did. */
    | ({ kind: 'again' } & AgainInput)
  );

export interface AgainInput {
  /** Absent: all that failed. */
  steps?: readonly string[];
  /** What their agents are told. */
  note?: string;
}

export interface RanDirectory extends TaskDirectory {
  steps: StepResult[];
  interrupted: boolean;
  /** What its agents were meant to get and did not. */
  warnings?: readonly string[];
}

export interface StepResult {
  step: string;
  agent: string;
  state: string;
  summary: string;
  seconds?: number;
}
