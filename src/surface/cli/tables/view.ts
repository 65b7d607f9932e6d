import type { Command } from '../table.ts';

const group = 'View';

const layoutOption: Command['options'][number] = {
  name: 'layout',
  summary: 'Only one: queue, task, packet or board',
  value: { kind: 'oneOf', label: 'LAYOUT', words: ['queue', 'task', 'packet', 'board'] },
};

/** All layouts on one screen. */
export const viewCommands: readonly Command[] = [
  {
    name: 'status',
    group,
    summary: 'Everything at a glance: what is stuck, runs, waits, and cost',
    options: [
      layoutOption,
      { name: 'all', summary: 'Every row, also where a screen has no room for it' },
      { name: 'watch', summary: 'Go on showing it as it changes, until Ctrl-C' },
    ],
    notes: [
      'All layouts: queue, task directories, packets, board. What is stuck and what',
      'needs you come first, each with the command that goes on. What is shown as',
      'running is held by somebody who lives; what nobody told is shown as unknown.',
      'Exit code: 0, whatever there is to see. For scripts: docket needs-me --exit-code',
    ],
    examples: [
      'docket status',
      'docket status --all',
      'docket status --watch',
      "docket status --json | jq '.running[].name'",
      'docket status --watch --json    # one JSON value per change',
    ],
    load: () => import('../commands/status.ts'),
  },
  {
    name: 'needs-me',
    group,
    summary: 'Only what a person must do, with the command that does it',
    options: [layoutOption, { name: 'exit-code', summary: 'Exit with 5 when there is something' }],
    notes: [
      'The oldest first, one line each: for how long, the command, and why.',
      'Failures of more than 7 days ago are only counted.',
    ],
    examples: [
      'docket needs-me',
      'docket needs-me --exit-code --quiet || echo "docket needs you"',
      "docket needs-me --json | jq -r '.needs[].next.command'",
    ],
    load: () => import('../commands/needs-me.ts'),
  },
];
