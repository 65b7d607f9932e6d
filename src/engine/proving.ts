import type { CommandRights } from '../gate/commands.ts';
import type { RealChanges } from '../gate/seen.ts';
import type { AcceptedProof } from '../task/proof-question.ts';
import type { Step } from '../task/run.ts';
import type { Task, Verdict } from '../task/schema.ts';
import type { TreeState } from '../workspace/tree.ts';
import type { AttemptLog } from './attempt-logs.ts';
import type { Masking } from './masking.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** How a proof is made. */
export interface ProveNow {
  signal: AbortSignal;
  /** Of the commands. */
  env: Env;
  /** A report that is not written down yet. */
  handed?: Readonly<Record<string, unknown>>;
}

export type Unproved = keyof NonNullable<NonNullable<Task['run']>['returns']>;

/** `unproved`: of a retry, what it is for. It is counted where the step is told. `question`: of a hold that a person answers. */
export type Proved = Verdict & { unproved?: Unproved; untrue?: readonly string[]; question?: Question };

/** What a person is asked when work is not proved. */
export interface Question {
  reason: string;
  /** Whose work can be sent back. */
  steps: readonly string[];
}

/** What stands between a run that went well and `done`. */
export interface Proving {
  /** Before the first step. */
  begin(): Promise<void>;
  /** pass: with the ids of what proves it. retry: `back` says who may mend it. hold: a person has to look. */
  prove(task: Task, now: ProveNow): Promise<Proved>;
  /** The step that is told what failed. `steps`: whose reports are not true. */
  back(task: Task, steps?: readonly string[]): string | undefined;
  /** A person takes the work without proof. Returns the id of the entry that says so. */
  accepted(task: Task, by: AcceptedProof): Promise<string>;
  /** Docket leaves the task, whatever became of it. */
  end(task: Task): Promise<void>;
}

export interface ProveOptions {
  /** The task's work tree. */
  cwd: string;
  /** Where its evidence is kept; made where it is missing. */
  folder: () => string;
  /** A folder of ours for what commands print while they run. */
  scratch: () => string;
  /** What has to end well. */
  commands: (task: Task) => readonly string[];
  /** What they may do. Absent: they get the usual variables, and low trust is held. */
  rights?: (task: Task) => CommandRights;
  /** Of each. */
  timeoutMs?: number;
  now: () => number;
  /** The project's own folder. */
  root: string;
  masking?: Masking;
  /** What its agents have said, oldest first. Absent: nobody knows what they ran. */
  logs?: (task: Task) => readonly AttemptLog[];
  /** Takes out what else must not be kept of what commands print. */
  redact?: (text: string) => Promise<string>;
  /** What the task changed, where its layout knows that. Absent: all that was changed while docket was at work on it. */
  changes?: () => RealChanges;
  /** `fresh`: it may be another than when somebody last looked. */
  look?: (fresh: boolean) => Promise<TreeState | undefined>;
  /** A step that may only read changes nothing. */
  writes?: (step: Step) => boolean;
  back?: (task: Task, steps: readonly string[]) => string | undefined;
  /** The steps that a person may send work back to. Absent: no question is asked, and the task is only blocked. */
  asks?: (task: Task) => readonly string[];
  /** What people call it, and the command that goes on when a person has seen to it. */
  name: string;
  goOn: string;
}
