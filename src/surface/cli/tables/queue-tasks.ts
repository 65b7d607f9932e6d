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

const of: Option = {
  name: 'of',
  summary: 'Where more than one has that name',
  value: { kind: 'oneOf', label: 'LAYOUT', words: ['queue', 'task', 'packet', 'board'] },
};
const budget = {
  name: 'budget',
  summary: 'Its own caps: calls, tokens, money, seconds (money=5)',
  value: { kind: 'text', label: 'UNIT=N', many: true },
} as const;

const note = {
  name: 'note',
  summary: 'What the agent is told',
  value: { kind: 'text', label: 'TEXT' },
} as const;

/** Looking at tasks of any format, and steering those of the queue. */
export const queueTaskCommands: readonly Command[] = [
  {
    name: 'show',
    group,
    summary: 'Show all about one task',
    operand: one,
    options: [of],
    notes: [
      'Of any task: of the queue, a task directory, a packet, the board. Status and',
      'why, steps with agent, time and tokens, gates, branch, files, and the commands',
      'that are possible now. How it came there: docket explain.',
    ],
    examples: ['docket show fix-login', 'docket show T-001', "docket show fix-login --json | jq '.steps'"],
    load: () => import('../commands/show.ts'),
  },
  {
    name: 'explain',
    group,
    summary: 'Say why a task is as it is, how it came there, and what to do now',
    operand: one,
    options: [of],
    notes: [
      'Of any task: of the queue, a task directory, a packet, the board. The story from',
      'its journal, every call with session, time and cost, what was decided and by',
      'whom, what proves it, and the commands that are possible now. Of a loop also the',
      'last two changes, side by side where the terminal is wide. Nothing is changed.',
    ],
    examples: ['docket explain fix-login', "docket explain T-001 --json | jq '.cause, .next[0].command'"],
    load: () => import('../commands/explain.ts'),
  },
  {
    name: 'evidence',
    group,
    summary: 'Show what docket itself saw of a task: commands, tree, scope, claims',
    operand: { kind: 'text', label: '<task> [entry]', min: 1, max: 2 },
    options: [of],
    notes: [
      'A task is done only with it. An entry says on which tree it was made; what was',
      'made on another one, or is of another task, proves nothing. With an entry: what',
      'its command printed, exactly, or an error if the file is not what it was.',
    ],
    examples: ['docket evidence fix-login', 'docket evidence fix-login ev-3f2a9c1d > test.log'],
    load: () => import('../commands/evidence.ts'),
  },
  {
    name: 'logs',
    group,
    summary: 'Show what the agents of a task said and did',
    operand: { kind: 'text', label: '[task]', min: 0, max: 1 },
    options: [
      { name: 'follow', short: 'f', summary: 'Go on until the task ends or waits for a person' },
      { name: 'step', summary: 'Only this step, all its passes', value: { kind: 'text', label: 'STEP' } },
      { name: 'attempt', summary: 'Only this attempt', value: { kind: 'integer', label: 'N' } },
      { name: 'raw', summary: 'The lines as the agent wrote them' },
      of,
    ],
    notes: [
      'Of any task: of the queue, a task directory, a packet, the board. --follow also',
      'waits for one that nobody works on yet; without a task it shows all that runs',
      'here, until Ctrl-C. With --json one JSON value per line.',
    ],
    examples: ['docket logs fix-login -f', 'docket logs -f', 'docket logs fix-login --step review --raw'],
    load: () => import('../commands/logs.ts'),
  },
  {
    name: 'retry',
    group,
    summary: 'Put what failed, is blocked or was canceled back into the queue',
    operand: some,
    options: [
      { name: 'from', summary: 'Step to go on with', value: { kind: 'text', label: 'STEP' } },
      note,
      {
        name: 'more-steps',
        summary: 'How many more steps it may take',
        value: { kind: 'integer', label: 'N' },
      },
      budget,
      dryRun,
    ],
    notes: [
      'It goes on where it stood still. What reached its limit of steps may take as',
      'many again. What runs is refused, and what waits at a gate, until answered.',
      'A done task whose delivery failed is only delivered again: no agent is called.',
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
    options: [note, reason, budget, dryRun],
    examples: [
      'docket requeue fix-login --note "Also for guests"',
      'docket requeue nightly --reason "once more"',
    ],
    load: () => import('../commands/requeue.ts'),
  },
  {
    name: 'trust',
    group,
    summary: 'Say whether you vouch for a task; without a level, show it',
    operand: { kind: 'text', label: '<task> [high|low]', min: 1, max: 2 },
    options: [],
    notes: [
      'What comes from an issue, a chat or an agent is low: it runs in a sandbox,',
      'without keys, push or network beyond its provider. Read it before you say high.',
    ],
    examples: ['docket trust issue-12', 'docket trust issue-12 high'],
    load: () => import('../commands/trust.ts'),
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
