/** A task as the board shows it; the layout's own record fits. */
export interface TaskView {
  taskId: string;
  title: string;
  status: string;
  owner: string | null;
  assigneeHint: string;
  updatedAt: string;
  blockedReason: string | null;
  result: string | null;
  review: string | null;
  relatedTo: string | null;
}

/** What happened to a task, as people are told. */
export type Move =
  | 'created'
  | 'claimed'
  | 'stolen'
  | 'released'
  | 'started'
  | 'progress'
  | 'done'
  | 'gated' // they said done, the gate did not agree
  | 'blocked'
  | 'unblocked'
  | 'reopened'
  | 'failed'
  | 'canceled'
  | 'escalated' // `task` is the diagnostic one
  | 'submitted'
  | 'approved'
  | 'returned'
  | 'linked';

export interface Moved {
  kind: 'moved';
  move: Move;
  /** As it is now. */
  task: TaskView;
  /** What was said with it: result, reason, summary, the ids it now needs. */
  text?: string;
  /** The reviewer, or from whom a task was taken. */
  other?: string;
}

export type RefusalCode =
  | 'not_found'
  | 'exists'
  | 'illegal' // not from this status
  | 'held' // somebody else has it
  | 'at_work' // a worker of docket's own has it
  | 'own_review' // nobody reviews their own work
  | 'cycle'
  | 'unknown_need'
  | 'forbidden' // not for this sender, or switched off on this board
  | 'unsupported_role'
  | 'invalid'
  | 'stale' // an answer to what was asked before
  | 'busy';

export interface Refused {
  kind: 'refused';
  code: RefusalCode;
  /** The intent that was refused, such as `claim_task`. */
  intent: string;
  taskId?: string;
  status?: string;
  /** Who has it. */
  holder?: string;
  until?: string;
  /** The id, role or sentence that it is about. */
  detail?: string;
  /** Intents that are possible now. */
  allowed?: readonly string[];
}

/** How many tasks are where, and those that a summary shows: what changed last comes first. */
export interface Summary {
  counts: Readonly<Record<string, number>>;
  blocked: readonly TaskView[];
  open: readonly TaskView[];
}

export type StopReason =
  | 'no_runnable_task'
  | 'max_steps_reached'
  | 'dispatch_failed'
  | 'invalid_task'
  | 'stopped';

/** What came of a message: everything that an answer can be about. */
export type Outcome =
  | Moved
  | Refused
  /** It was so already; nothing changed. */
  | { kind: 'already'; move: Move; task: TaskView }
  | { kind: 'help' }
  | { kind: 'status'; summary: Summary; full?: boolean }
  | { kind: 'task'; task: TaskView }
  | { kind: 'synthesis'; report: string }
  /** `ended`: docket's own worker has done it, or not. */
  | {
      kind: 'dispatched';
      task: TaskView;
      agent: string;
      mode: 'manual' | 'spawn';
      ended?: { decision: 'done' | 'blocked' | 'stopped' | 'lost'; detail: string };
    }
  | { kind: 'nothing_to_run' }
  | {
      kind: 'autopilot';
      maxSteps: number;
      stepsRun: number;
      done: number;
      blocked: number;
      manual: number;
      stopReason: StopReason;
      steps?: readonly { taskId: string; agent: string; decision: string; detail: string }[];
    }
  /** So many steps are left to the docket that is always there. */
  | { kind: 'autopilot_ordered'; steps: number }
  | { kind: 'auto_progress'; enabled: boolean; maxSteps: number }
  | { kind: 'project_created'; name: string; count: number }
  /** `again`: it was started before; nothing was made twice. */
  | {
      kind: 'project_started';
      name: string;
      count: number;
      document?: string;
      again?: boolean;
      path?: string;
      taskIds?: readonly string[];
      /** What became of its first task. */
      first?: Outcome;
    }
  | { kind: 'bad_path'; path: string }
  | { kind: 'clarified'; taskId: string; role: string; question: string }
  | { kind: 'throttled'; taskId: string; role: string; retryAfterSec: number }
  | { kind: 'report_without_id' }
  | { kind: 'unknown'; raw: string; suggestion?: string }
  /** Nothing is said: one of our own messages came back. */
  | { kind: 'silent' };
