import type { Question, SessionWish, Usage } from '../adapters/adapter.ts';
import type { Agent } from '../adapters/agent.ts';
import { DocketError } from '../errors.ts';
import type { Report } from '../report/schema.ts';
import type { Store, Claim } from '../store/store.ts';
import type { Step } from '../task/run.ts';
import type { Task } from '../task/schema.ts';
import { isFinal } from '../task/status.ts';
import type { Mark } from '../task/trail-schema.ts';
import type { Holds } from './admission.ts';
import { Conductor } from './conductor.ts';
import type { Contract } from './contract.ts';
import type { Guard } from './guard.ts';
import { endAttempts } from './leftover-attempts.ts';
import type { Masking } from './masking.ts';
import type { StepProgress } from './progress.ts';
import type { Proving } from './proving.ts';
import { withdrawStale } from './questions.ts';
import { Recorder, type Entry } from './recorder.ts';
import type { Facts, Loops } from './run-end.ts';
import type { StepOutcome } from './step-outcome.ts';
import type { StepResult } from './step.ts';

/** Everything about a step that only its layout and the settings know. */
export interface StepOrder {
  agent: Agent;
  cwd: string;
  /** The first prompt; later prompts in the same session are short continuations. */
  prompt: string;
  /** Where an attempt has its files: made where it is missing, and safe to write to. */
  folder: (n: number) => string;
  /** The conversation that it starts from, instead of a new one. */
  session?: SessionWish;
  /** What that conversation had used when this step came to it. */
  usedBefore?: Usage;
  /** The prompt for a conversation that had the first prompt and ended. */
  goOn?: string;
  /** What a person said when they put it back: told whenever its conversation goes on. */
  note?: string;
  contract?: Contract;
  /** Errors are not tried again, and a try that ended continues with `goOn` only: its judge decides. Default: there is one. */
  once?: boolean;
  /** What is written down with an attempt whose agent was never called, because docket died before. */
  uncalled?: (task: Task) => Entry[];
  /** Takes out what must not be written down of an agent's own words about its failure. */
  redact?: (text: string) => Promise<string>;
  /** Judges what came of a try. Absent: the report does. */
  judge?: (result: StepResult, attempt: number, recorder: Recorder, signal: AbortSignal) => Promise<Judged>;
  /** Leaves things in order when the step stops here and goes on later. */
  stopped?: () => Promise<void>;
  /** What is written down together with its success: the steps that a planner ordered, say. */
  also?: (value: unknown, task: Task) => Promise<Entry[]>;
  /** What its success is compared by with earlier ones, where its judge does not say it. */
  mark?: (value: unknown) => Promise<Mark | undefined>;
}

/** A step that docket does itself. */
export interface OwnOrder {
  does: (signal: AbortSignal) => Promise<Judged>;
}

/** A verdict on a try. `again`: it is to be tried once more, so. */
export interface Judged {
  outcome: StepOutcome;
  /** In the place of what the agent handed back. */
  report?: Report;
  also?: Entry[];
  /** What this end is compared by with earlier ones. */
  mark?: Mark;
  again?: {
    prompt: string;
    /** What it is told instead in the same conversation. */
    goOn?: string;
    pauseMs: number;
  };
}

type Env = Readonly<Record<string, string | undefined>>;

/** Prepares what a task needs before its first step is paid for, and cleans up after its end. */
export interface TaskEnvironment {
  /**
   * Returns the variables for the task's agents and commands when everything is there. Throws `Held` if a person has to
   * fix something. After an abort the return value is meaningless.
   */
  ready(signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
  /** `isOver`: the task ended, it does not only pause. Problems are reported, nothing is thrown. */
  leave(isOver: boolean, signal: AbortSignal): Promise<void>;
}

export interface WorkflowOptions {
  store: Store;
  /** Who writes, in the words of the layout. */
  by: string;
  /** How many agents at once, as things are. */
  slots: number | ((task: Task) => number);
  /** These steps alone, and whatever they need. */
  only?: ReadonlySet<string>;
  /** What fails here is this step's failure. `env`: the environment of its agents and commands. */
  order: (step: Step, task: Task, env: Env) => Promise<StepOrder | OwnOrder>;
  /** The order for the next round's planning step. */
  plan?: (task: Task, round: number) => Promise<Entry>;
  /** What follows in a run that a graph leads, when nothing is at work. `over`: that was the end. */
  next?: (task: Task) => Promise<Following>;
  /** What people's notes say now, kept for later and named by its hash. */
  notes: () => Promise<string | undefined>;
  /** What proves the end, for people to look at. */
  evidence: string;
  env: Env;
  taskEnvironment?: TaskEnvironment;
  /** Nothing is done without it. Absent: the work of docket's own judges is enough. */
  prove?: Proving;
  signal: AbortSignal;
  now: () => number;
  onProgress?: (progress: StepProgress) => void;
  /** Limits, budgets and who stands in. Absent: nobody counts. */
  holds?: Holds;
  /** Somebody waits for the answer: a provider that cannot be reached is the step's failure, as its judge says. */
  impatient?: boolean;
  /** What no agent may change. Absent: nobody looks. */
  guard?: Guard;
  /** Absent: it may turn in circles. */
  loops?: Loops;
  /** Takes secrets out of all that is written down, told and sent. */
  masking?: Masking;
  /** Answers what an agent asks in the middle of its turn; absent: the question becomes a gate. */
  ask?: (question: Question) => Promise<string>;
}

/** Facts that lead on, or `over` that end it; `done`: it went well, and these facts end it once it is proved. */
export type Following = { entries: Entry[]; over: boolean } | { done: Facts };

/** A claimed task with many steps: performs what is due until nothing is. Returns the task as it is then. */
export async function runWorkflow(claim: Claim, options: WorkflowOptions): Promise<Task> {
  const { store, by, now } = options;
  const recorder = new Recorder(store, claim.task, by, now, options.masking);
  const conductor = new Conductor(recorder, options, claim.signal);
  let ended: Task | undefined;
  try {
    await withdrawStale(recorder);
    await conductor.run();
    await options.prove?.end(recorder.task);
    return (ended = recorder.task);
  } catch (error) {
    // Somebody else decided about it, and that counts. Our agents were ended, and we have nothing to say.
    const isFenced = error instanceof DocketError && error.code === 'FENCED';
    const at = { by, now: new Date(now()).toISOString() };
    ended = isFenced ? await endAttempts(store, claim.task.id, at) : undefined;
    if (ended) return ended;
    throw error; // also when the task is gone: a log that somebody emptied knows of nothing
  } finally {
    await options.taskEnvironment?.leave(ended !== undefined && hasEnded(ended), options.signal);
    await claim.release().catch(() => undefined);
  }
}

function hasEnded({ status }: Task): boolean {
  return isFinal(status) || status === 'failed';
}
