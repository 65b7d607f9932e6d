import type { Question } from '../../adapters/adapter.ts';
import type { OnProgress } from '../../engine/progress.ts';
import type { Task } from '../../task/schema.ts';

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
