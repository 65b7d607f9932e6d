import type { Command, Operand, Option } from '../table.ts';

const group = 'Tasks';
const gate: Operand = { kind: 'text', names: ['gated', 'gate'], label: '<task> [gate]', min: 1, max: 2 };
const note = (summary: string): Option => ({ name: 'note', summary, value: { kind: 'text', label: 'TEXT' } });

export const gateCommands: readonly Command[] = [
  {
    name: 'gate list',
    group,
    summary: 'Show the gates that wait, with the commands that answer them',
    operand: { kind: 'text', names: 'gated', label: '[task]', min: 0, max: 1 },
    options: [],
    notes: ['Those of all tasks. Of a task that you name also those that were answered.'],
    examples: ['docket gate list', 'docket gate list <task>', "docket gate list --json | jq '.gates[0]'"],
    load: () => import('../commands/gate-list.ts'),
  },
  {
    name: 'gate approve',
    group,
    summary: 'Let the work behind a gate go on',
    operand: gate,
    options: [
      note('What the agent has to know, in your words'),
      {
        name: 'choice',
        summary: 'One of the options, where the agent offers some',
        value: { kind: 'text', label: 'OPTION' },
      },
    ],
    notes: [
      'The gate need not be named where exactly one waits.',
      'The same conversation goes on, with your note in it. An answer counts once.',
      'A question wants an answer in words: without --note it is refused.',
      'Exit code: 0 taken, 3 no such gate, 4 it was answered before.',
    ],
    examples: [
      'docket gate approve <task> --note "Use port 8080"',
      'docket gate approve <task> gate-worker --choice once',
    ],
    load: () => import('../commands/gate-approve.ts'),
  },
  {
    name: 'gate reject',
    group,
    summary: 'End the work behind a gate: it fails, and stays so',
    operand: gate,
    options: [note('Why (needed: somebody will want to know)')],
    notes: [
      'Its task fails at once, if nothing else of it is left.',
      'No run takes it up again: only docket retry of that task, or docket task retry',
      'with the name of the subtask.',
      'The gate need not be named where exactly one waits.',
      'Exit code: 0 taken, 3 no such gate, 4 it was answered before.',
    ],
    examples: ['docket gate reject <task> --note "Out of scope"'],
    load: () => import('../commands/gate-reject.ts'),
  },
];
