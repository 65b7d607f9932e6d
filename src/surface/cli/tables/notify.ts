import type { Command, Group } from '../table.ts';

const group = 'Other';

export const notifyGroups: readonly Group[] = [
  {
    name: 'notify',
    group,
    summary: 'How you hear that something needs you',
    notes: [
      'Runs ring the terminal in which you watch them. Other ways are set up in',
      '"notify" in .docket/config.yaml: desktop, webhook, chat. See docs/notify.md',
    ],
    examples: ['docket notify test', 'docket notify status'],
  },
];

export const notifyCommands: readonly Command[] = [
  {
    name: 'notify test',
    group,
    summary: 'Send yourself one message by every way that is set up',
    options: [],
    notes: ['Exit code 1: one of them does not work, and it says why.'],
    examples: ['docket notify test', 'docket notify test --json'],
    load: () => import('../commands/notify-test.ts'),
  },
  {
    name: 'notify status',
    group,
    summary: 'What you were told, what waits, and what could not be sent',
    options: [],
    examples: ['docket notify status', 'docket notify status --json'],
    load: () => import('../commands/notify-status.ts'),
  },
];
