import type { Command, Group } from '../table.ts';

const group = 'Tasks';
/** The file's word for done is taken too. */
const finished = ['completed', 'done', 'failed', 'canceled'];

export const queueFileGroups: readonly Group[] = [
  {
    name: 'queue',
    group,
    summary: "Put the queue's files in order: archive, migrate, removals",
    notes: ['.takt/tasks.yaml lists the tasks; docket and other tools both write it.'],
    examples: ['docket queue archive --older-than 30d', 'docket queue migrate'],
  },
];

export const queueFileCommands: readonly Command[] = [
  {
    name: 'queue archive',
    group,
    summary: 'Move finished records to .takt/archive/',
    options: [
      {
        name: 'older-than',
        summary: 'Only what ended so long ago: 30d, 12h, 2w (default: all)',
        value: { kind: 'text', label: 'AGE' },
      },
      {
        name: 'status',
        summary: 'Only these: completed, failed, canceled (a list with commas)',
        value: { kind: 'oneOf', label: 'STATUS', words: finished, many: true },
      },
      { name: 'dry-run', summary: 'Show what would move; change nothing' },
    ],
    notes: [
      'A record goes to the file of the month in which its task ended, as written.',
      'The task stays known: docket requeue <task> brings it back into the queue.',
    ],
    examples: ['docket queue archive --older-than 30d --dry-run', 'docket queue archive --status completed'],
    load: () => import('../commands/queue-archive.ts'),
  },
  {
    name: 'queue migrate',
    group,
    summary: 'Move texts out of records into folders of their tasks',
    options: [
      { name: 'apply', summary: 'Do it (default: only show what would be done)' },
      { name: 'dry-run', summary: 'Only show it, as without --apply' },
    ],
    notes: [
      'A record with "content" or "content_file" gets "task_dir", and its text goes',
      'to order.md in that folder. The old file stays; running tasks are left alone.',
    ],
    examples: ['docket queue migrate', 'docket queue migrate --apply'],
    load: () => import('../commands/queue-migrate.ts'),
  },
  {
    name: 'queue confirm-removals',
    group,
    summary: 'Remove the tasks whose records were missing in tasks.yaml',
    options: [],
    notes: [
      'docket puts a missing record back when the saved file may be older than the',
      'record, when more than three or all are missing, or when the file was cut off.',
      'docket needs-me names them. This command cancels and removes those tasks;',
      'docket restore <task> brings one back.',
    ],
    examples: ['docket queue confirm-removals'],
    load: () => import('../commands/queue-confirm-removals.ts'),
  },
  {
    name: 'queue reject-removals',
    group,
    summary: 'Keep the tasks whose records were missing in tasks.yaml',
    options: [],
    notes: ['The opposite of docket queue confirm-removals: the tasks stay and may start.'],
    examples: ['docket queue reject-removals'],
    load: () => import('../commands/queue-reject-removals.ts'),
  },
];
