import { watching } from '../options.ts';
import { statusNames, statusSynonyms } from '../statuses.ts';
import type { Command } from '../table.ts';
import { addCommand } from './add.ts';

const runOptions: Command['options'] = [
  {
    name: 'agent',
    summary: 'Use this agent for all (default: defaultAgent)',
    value: { kind: 'text', names: 'agent', label: 'NAME' },
  },
  {
    name: 'concurrency',
    summary: 'Tasks at once, 1 to 64 (default: the settings, or 1)',
    value: { kind: 'integer', label: 'N' },
  },
  { name: 'parallel', summary: 'The same as --concurrency', value: { kind: 'integer', label: 'N' } },
  { name: 'all', summary: 'Also task directories, packets and the board' },
  ...watching,
];

export const queueCommands: readonly Command[] = [
  addCommand,
  {
    name: 'list',
    group: 'Queue',
    summary: 'Show the tasks, one row each',
    options: [
      {
        name: 'status',
        summary: 'Only these (a list with commas)',
        value: {
          kind: 'oneOf',
          label: 'STATUS',
          words: statusNames,
          synonyms: statusSynonyms,
          many: true,
        },
      },
      { name: 'all', summary: 'Also tasks that were archived' },
      { name: 'interactive', short: 'i', summary: 'Choose a task and what to do with it (on a terminal)' },
    ],
    notes: [`Statuses: ${statusNames.join(', ')}.`],
    examples: [
      'docket list',
      'docket list -i',
      'docket list --status queued,blocked',
      "docket list --json | jq -r '.tasks[].id'",
    ],
    load: () => import('../commands/list.ts'),
  },
  {
    name: 'run',
    group: 'Queue',
    summary: 'Run what is queued with your agents',
    operand: { kind: 'text', names: 'any', label: '[task…]', min: 0, max: Infinity },
    options: [
      ...runOptions,
      { name: 'wait', summary: 'Wait for the end of limits of providers, and go on then' },
      { name: 'dry-run', summary: 'Show what would run, in that order; start nothing' },
    ],
    notes: [
      'Runs until nothing can start, by priority, dependencies and place in the file.',
      'A task that you name is tried again, also when it is blocked or failed.',
      'Ctrl-C puts running work back; the next run goes on where it was.',
      'Exit: 0 done, 1 failed, 4 one named is canceled, or another docket has it, 5 a',
      'person must act, 75 later; where nothing could start, by what stands still.',
    ],
    examples: [
      'docket run --agent claude --concurrency 3',
      'docket run fix-login --dry-run',
      'docket run --all --wait',
    ],
    load: () => import('../commands/run.ts'),
  },
  {
    name: 'watch',
    group: 'Queue',
    summary: 'Run what is queued, and what is added later',
    options: runOptions,
    notes: [
      'Goes on until you stop it: what is added, edited or put back meanwhile runs',
      'too, and what waits for a limit goes on when that ends. --json prints one value',
      'when it is stopped; with --stream a line for all that happens before it.',
    ],
    examples: ['docket watch', 'docket watch --concurrency 4'],
    load: () => import('../commands/watch.ts'),
  },
];
