import type { Move, RefusalCode, Refused, StopReason } from './outcome.ts';

type Texts = Readonly<Record<string, string>>;

/** Every text of the board. The other languages have the same ones. Functions take what was made harmless and short before. */
export const en = {
  /** By status of the board. A status that is not here is shown as it is written. */
  labels: {
    pending: 'pending',
    claimed: 'claimed',
    in_progress: 'in progress',
    review: 'in review',
    done: 'done',
    blocked: 'blocked',
    failed: 'failed',
  } as Texts,
  /** By intent, in the order of matching: the words that ask for it. The first is the one that docket writes itself. */
  verbs: {
    help: ['help', '?', 'commands'],
    auto_progress: ['auto progress', 'auto_progress', 'auto-progress', 'autoprogress'],
    start_project: ['start project'],
    create_project: ['create project', 'new project'],
    run: ['run'],
    autopilot: ['autopilot'],
    status: ['status', 'project status'],
    dispatch: ['dispatch'],
    clarify: ['clarify'],
    claim_task: ['claim task', 'claim'],
    mark_done: ['mark done', 'done', 'complete'],
    block_task: ['block task', 'block', 'blocked'],
    escalate_task: ['escalate task', 'escalate'],
    create_task: ['create task', 'new task', 'add task'],
    unblock_task: ['unblock task', 'unblock'],
    reopen_task: ['reopen task', 'reopen', 're-open'],
    fail_task: ['fail task', 'fail', 'mark failed'],
    cancel_task: ['cancel task', 'cancel'],
    submit_review: ['submit', 'submit for review', 'request review', 'review'],
    approve_review: ['approve'],
    request_changes: ['request changes', 'reject'],
    add_needs: ['needs', 'depends'],
    synthesize: ['synthesize', 'synthesise', 'synthesis'],
    report: ['report'],
  },
  /** By tag, for a digest. */
  kinds: {
    '[TASK]': 'task',
    '[CLAIM]': 'claimed',
    '[DONE]': 'done',
    '[BLOCKED]': 'blocked',
    '[REVIEW]': 'review',
    '[DIAG]': 'diagnostic',
  } as Texts,
  /** Stands before what a notice is about. */
  details: {
    created: 'title',
    claimed: 'title',
    stolen: 'title',
    started: 'title',
    progress: 'progress',
    done: 'result',
    gated: 'reason',
    blocked: 'reason',
    unblocked: 'unblocked',
    reopened: 'reopened',
    failed: 'failed',
    canceled: 'canceled',
    escalated: 'to find out',
    submitted: 'submitted for review',
    approved: 'approved',
    returned: 'changes requested',
    linked: 'needs',
  } satisfies Record<Move, string>,
  /** Between the parts of a list. */
  comma: ', ',

  state: 'status',
  owner: 'owner',
  hint: 'suggested owner',
  assignee: 'assigned to',
  reviewer: 'reviewer',
  nobody: 'nobody',
  title: 'title',
  reason: 'reason',
  related: 'related to',
  takenFrom: 'taken over from',

  summary: {
    head: 'Board',
    total: (count: number) => `${count} ${count === 1 ? 'task' : 'tasks'}`,
    count: (label: string, count: number) => `${count} ${label}`,
    empty: 'no tasks yet',
    none: 'none',
    blockedTop: 'blocked, top ',
    openTop: 'to do, top ',
    item: (id: string, title: string, note: string) => `${id} ${title} (${note})`,
    between: '; ',
    unsaid: 'no reason given',
  },

  dispatch: {
    manual: 'mode: by hand (waits for a report)',
    spawn: 'mode: automatic (a worker is started and its result written to the board)',
    task: 'task',
    template: (orchestrator: string, id: string) =>
      `${orchestrator} ${id} done, evidence: log/screenshot/link`,
    reportBack: (assignee: string, template: string) => `${assignee} when done, answer: ${template}`,
    handoverBy: 'handed over by',
    handover: (orchestrator: string, id: string, result: string) =>
      `${orchestrator} ${id} done, result: ${result}`,
  },
  /** By reason code: why a worker's task is blocked, where the worker's own words do not say it. */
  workerEnded: {
    spawn_failed: 'the worker failed without an error message',
    invalid_spawn_output: 'the worker did not answer in a form that can be read',
    incomplete_output: 'the worker did not deliver everything that the gate asks for',
    blocked_signal: 'the worker reported a blocker without a reason',
    no_completion_signal: 'the worker ended without saying whether the task is done',
  },
  clarify: { state: 'clarify', role: 'role', question: 'question' },
  digest: (count: number) => `Board news | ${count} events`,

  alreadyDone: 'is done already, nothing to repeat',
  /** What to do where the gate did not agree. */
  gatedNext: (id: string) => `next: claim task ${id}, then mark done ${id}: result and evidence`,
  alreadyHeld: (owner: string) => `is claimed by ${owner} already, nothing to repeat`,
  already: (label: string) => `is ${label} already, nothing to repeat`,
  notFound: (id: string) => `there is no task ${id}`,
  refused: (verb: string) => `not done: ${verb}`,
  why: {
    not_found: ({ taskId = '' }: Refused) => `there is no task ${taskId}`,
    exists: ({ taskId = '' }: Refused) => `task ${taskId} exists; choose another id or leave it out`,
    illegal: () => 'not possible from this status',
    held: ({ holder = 'somebody else', until, intent, taskId = '' }: Refused) =>
      `${holder} holds it${until === undefined ? '' : ` until ${until}`}; ${intent === 'claim_task' ? 'add --steal' : `say "claim task ${taskId} --steal"`} to take it over`,
    at_work: () => 'a worker that docket started is at it; wait for its end, or block or cancel the task',
    own_review: () => 'nobody reviews their own work; another person must',
    cycle: ({ detail = '' }: Refused) => `the tasks would wait for each other: ${detail}`,
    unknown_need: ({ detail = '' }: Refused) => `it would need a task that does not exist: ${detail}`,
    forbidden: ({
      detail = 'only the orchestrator does that: begin with @orchestrator to ask it',
    }: Refused) => detail,
    unsupported_role: ({ detail = '' }: Refused) => `there is no role ${detail}`,
    invalid: ({ detail = '' }: Refused) => `not valid: ${detail}`,
    stale: () => 'this was answered before, or is asked anew; nothing changed',
  } satisfies Record<RefusalCode, (about: Refused) => string>,
  allowed: (verbs: string) => `possible now: ${verbs}`,
  nothingToRun: 'there is nothing to run now.',
  autopilot: (stepsRun: number, maxSteps: number) => `Autopilot ended | steps=${stepsRun}/${maxSteps}`,
  autopilotOrdered: (steps: number) => `autopilot: ${steps} ${steps === 1 ? 'step' : 'steps'} ordered`,
  autopilotResult: (done: number, blocked: number, manual: number) =>
    `${done} done, ${blocked} blocked, ${manual} waiting for a report`,
  stopped: {
    no_runnable_task: 'nothing left to run',
    max_steps_reached: 'all steps used',
    stopped: 'docket was stopped; it goes on later',
  } satisfies Record<StopReason, string>,
  autoProgress: (enabled: boolean): string => (enabled ? 'auto progress is on' : 'auto progress is off'),
  projectCreated: (name: string, count: number) =>
    `project created: ${name}, ${count} ${count === 1 ? 'task' : 'tasks'}.`,
  projectStarted: (name: string, count: number) => `project started: ${name} | new tasks=${count}`,
  projectAgain: (name: string, count: number) =>
    `project was started before: ${name} | tasks=${count}, none made twice`,
  document: 'document',
  projectHint: 'send "status" to see how far it is, "auto progress on" to let it go on by itself',
  badPath: (path: string) => `no project folder there: ${path}`,
  throttled: (role: string, seconds: number) =>
    `too many questions at once; ${role} can be asked in ${seconds} s`,
  reportWithoutId: 'thank you for the report, but it names no task (such as T-001).',
  unknown: (raw: string) => `not understood: ${raw}`,
  didYouMean: (command: string) => `did you mean: ${command}`,
  askForHelp: 'send "help" for all commands; nothing changed.',
  more: (count: number) => `… and ${count} more`,
  /** The whole help, line by line. */
  help: [
    '[TASK] What the orchestrator understands',
    'start project /absolute/path | create project NAME: first task; second task',
    'status | status T-001 | status all | synthesize',
    'auto progress on [N] | off | status',
    'run [T-001] | autopilot [N] | dispatch T-001 coder: text | clarify T-001 coder: question',
    'create task: title | create task T-001: title | needs T-002: T-001',
    'claim task T-001 [--steal] | mark done T-001: result and evidence | block task T-001: reason | unblock task T-001',
    'submit T-001 @reviewer: summary | approve T-001 | request changes T-001: reason',
    'escalate task T-001: reason | fail task T-001: reason | cancel task T-001: reason | reopen task T-001: reason',
    'report: @orchestrator T-001 done, evidence: log/screenshot/link. One command per message; further lines belong to its text.',
  ],
};
