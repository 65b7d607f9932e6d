import type { Command, Operand, Option } from '../table.ts';

const group = 'Steer';
const one: Operand = { kind: 'text', label: '<task>', min: 1, max: 1 };
const some: Operand = { kind: 'text', label: '<task…>', min: 1, max: Infinity };
const dryRun: Option = { name: 'dry-run', summary: 'Show what would happen; change nothing' };
const reason: Option = {
  name: 'reason',
  summary: 'Why, for the journal',
  value: { kind: 'text', label: 'TEXT' },
};

/** Looking at tasks of the queue, and steering them. */
export const queueTaskCommands: readonly Command[] = [
  {
    name: 'show',
    group,
    summary: 'Show all about one task',
    operand: one,
    options: [],
    notes: [
      'Status and why, steps with agent, time, tokens and the rule that was chosen,',
      'gates, branch and files, and the commands that are possible now.',
    ],
    examples: ['docket show fix-login', "docket show fix-login --json | jq '.steps[].chose.text'"],
    load: () => import('../commands/show.ts'),
  },
  {
    name: 'logs',
    group,
    summary: 'Show what the agents of a task said and did',
    operand: one,
    options: [
      { name: 'follow', short: 'f', summary: 'Go on while the task is running' },
      { name: 'step', summary: 'Only this step, all its passes', value: { kind: 'text', label: 'STEP' } },
      { name: 'attempt', summary: 'Only this attempt', value: { kind: 'integer', label: 'N' } },
      { name: 'raw', summary: 'The lines as the agent wrote them' },
    ],
    notes: ['With --json one JSON value per line.'],
    examples: ['docket logs fix-login -f', 'docket logs fix-login --step review --raw'],
    load: () => import('../commands/logs.ts'),
  },
  {
    name: 'retry',
    group,
    summary: 'Put what failed, is blocked or was canceled back into the queue',
    operand: some,
    options: [
      { name: 'from', summary: 'Step to go on with', value: { kind: 'text', label: 'STEP' } },
      { name: 'note', summary: 'What the agent is told', value: { kind: 'text', label: 'TEXT' } },
      {
        name: 'more-steps',
        summary: 'How many more steps it may take',
        value: { kind: 'integer', label: 'N' },
      },
      dryRun,
    ],
    notes: [
      'It goes on where it stood still. What reached its limit of steps may take as',
      'many again. What runs is refused, and what waits at a gate, until answered.',
    ],
    examples: [
      'docket retry fix-login --note "The test server is up again"',
      'docket retry fix-login --from implement',
    ],
    load: () => import('../commands/retry.ts'),
  },
  {
    name: 'requeue',
    group,
    summary: 'Put tasks back into the queue, also those that are done',
    operand: some,
    options: [reason, dryRun],
    examples: ['docket requeue fix-login', 'docket requeue nightly --reason "once more"'],
    load: () => import('../commands/requeue.ts'),
  },
  {
    name: 'cancel',
    group,
    summary: 'Give tasks up; a running one is ended within seconds',
    operand: some,
    options: [reason, dryRun],
    notes: ['What it did so far stays. docket requeue takes it up again.'],
    examples: ['docket cancel fix-login', 'docket cancel a b --reason "not needed any more"'],
    load: () => import('../commands/cancel.ts'),
  },
];
