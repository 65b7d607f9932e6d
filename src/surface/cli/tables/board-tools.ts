import type { Command } from '../table.ts';

const group = 'Board';
const dryRun = (summary: string) => ({ name: 'dry-run', summary });

/** What keeps a board's files in order. */
export const boardToolCommands: readonly Command[] = [
  {
    name: 'board init',
    group,
    summary: 'Make a board here; what is there stays',
    options: [
      { name: 'settings', summary: 'Also write the files with settings, as shipped' },
      dryRun('Show what would be made; change nothing'),
    ],
    notes: [
      'Settings: config/acceptance-policy.json and docs/protocol-config.json. Without',
      'them the shipped values hold.',
    ],
    examples: ['docket board init', 'docket board init --settings --dry-run'],
    load: () => import('../commands/board-init.ts'),
  },
  {
    name: 'board validate',
    group,
    summary: 'Name every problem of a board with its file and line',
    options: [],
    notes: [
      'Looks at the policy, the protocol, the map of open ids, the log, the',
      'snapshot and the locks. Nothing is changed. Exit code: 0 none, 1 problems.',
    ],
    examples: ['docket board validate', "docket board validate --json | jq '.findings[]'"],
    load: () => import('../commands/board-validate.ts'),
  },
  {
    name: 'board rebuild',
    group,
    summary: 'Make the snapshot anew from the log',
    options: [dryRun('Show how they differ; change nothing')],
    notes: ['docket does this by itself when the snapshot is missing or broken.'],
    examples: ['docket board rebuild --dry-run', 'docket board rebuild'],
    load: () => import('../commands/board-rebuild.ts'),
  },
  {
    name: 'board compact',
    group,
    summary: 'Put the log away, whole, and begin a new one',
    options: [dryRun('Show what would be put away; change nothing')],
    notes: [
      'The old log goes to state/archive/; the new one begins with every task as it',
      'is, in lines that other tools of the format read too.',
    ],
    examples: ['docket board compact --dry-run', 'docket board compact'],
    load: () => import('../commands/board-compact.ts'),
  },
  {
    name: 'board unlock',
    group,
    summary: 'Remove locks that nobody has any more',
    options: [dryRun('Show them; change nothing')],
    notes: ['Each removal is written to state/locks/recovery.audit.jsonl.'],
    examples: ['docket board unlock --dry-run', 'docket board unlock'],
    load: () => import('../commands/board-unlock.ts'),
  },
];
