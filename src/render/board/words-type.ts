import type { Move, RefusalCode, Refused, StopReason } from './outcome.ts';

export type Locale = 'en' | 'zh' | 'ja';

type WorkerEnd =
  | 'spawn_failed'
  | 'invalid_spawn_output'
  | 'incomplete_output'
  | 'blocked_signal'
  | 'no_completion_signal';

/** Every text of the board in one language. Functions take what was made harmless and short before. */
export interface Words {
  /** By status of the board. A status that is not here is shown as it is written. */
  labels: Readonly<Record<string, string>>;
  /** By intent: what to write to ask for it. */
  verbs: Readonly<Record<string, string>>;
  /** By tag, for a digest. */
  kinds: Readonly<Record<string, string>>;
  /** Stands before what a notice is about. */
  details: Readonly<Record<Move, string>>;
  /** Between the parts of a list. */
  comma: string;

  state: string;
  owner: string;
  hint: string;
  assignee: string;
  reviewer: string;
  nobody: string;
  title: string;
  reason: string;
  related: string;
  takenFrom: string;

  summary: {
    head: string;
    total: (count: number) => string;
    count: (label: string, count: number) => string;
    empty: string;
    none: string;
    blockedTop: string;
    openTop: string;
    item: (id: string, title: string, note: string) => string;
    between: string;
    unsaid: string;
  };

  dispatch: {
    manual: string;
    spawn: string;
    task: string;
    template: (orchestrator: string, id: string) => string;
    reportBack: (assignee: string, template: string) => string;
    handoverBy: string;
    handover: (orchestrator: string, id: string, result: string) => string;
  };
  /** By reason code: why a worker's task is blocked, where the worker's own words do not say it. */
  workerEnded: Readonly<Record<WorkerEnd, string>>;
  clarify: { state: string; role: string; question: string };
  digest: (count: number) => string;

  alreadyDone: string;
  /** What to do where the gate did not agree. */
  gatedNext: (id: string) => string;
  alreadyHeld: (owner: string) => string;
  already: (label: string) => string;
  notFound: (id: string) => string;
  refused: (verb: string) => string;
  why: Readonly<Record<RefusalCode, (about: Refused) => string>>;
  allowed: (verbs: string) => string;
  nothingToRun: string;
  autopilot: (stepsRun: number, maxSteps: number) => string;
  autopilotOrdered: (steps: number) => string;
  autopilotResult: (done: number, blocked: number, manual: number) => string;
  stopped: Readonly<Record<StopReason, string>>;
  autoProgress: (enabled: boolean) => string;
  projectCreated: (name: string, count: number) => string;
  projectStarted: (name: string, count: number) => string;
  projectAgain: (name: string, count: number) => string;
  document: string;
  projectHint: string;
  badPath: (path: string) => string;
  throttled: (role: string, seconds: number) => string;
  reportWithoutId: string;
  unknown: (raw: string) => string;
  didYouMean: (command: string) => string;
  askForHelp: string;
  more: (count: number) => string;
  /** The whole help, line by line. */
  help: readonly string[];
}
