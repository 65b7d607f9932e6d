import { statusNames, statusSynonyms } from '../statuses.ts';
import type { Command } from '../table.ts';

export const queueCommands: readonly Command[] = [
  {
    name: 'add',
    group: 'Queue',
    summary: 'Put a piece of work into the queue',
    operand: { kind: 'text', label: '<text…>', min: 0, max: Infinity },
    options: [
      {
        name: 'file',
        summary: 'Read the text from a file ("-": from stdin)',
        value: { kind: 'file', label: 'PATH' },
      },
      {
        name: 'name',
        summary: 'Name of the entry (default: made from the text)',
        value: { kind: 'text', label: 'NAME' },
      },
      { name: 'workflow', summary: 'Workflow that runs it', value: { kind: 'text', label: 'NAME' } },
      {
        name: 'priority',
        summary: 'Higher runs earlier: -100 to 100 (default 0)',
        value: { kind: 'integer', label: 'N' },
      },
      {
        name: 'needs',
        summary: 'Wait until this task is done (repeatable)',
        value: { kind: 'text', label: 'ID', many: true },
      },
      {
        name: 'key',
        summary: 'Adding again with the same key adds nothing',
        value: { kind: 'text', label: 'KEY' },
      },
    ],
    notes: ['The first line of the text becomes the title. "-" as the text reads stdin.'],
    examples: [
      'docket add "Fix the flaky login test"',
      'docket add --file spec.md --priority 10',
      'gh issue view 7 --json body -q .body | docket add - --key issue-7',
    ],
    load: () => import('../commands/add.ts'),
  },
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
    ],
    notes: [`Statuses: ${statusNames.join(', ')}.`],
    examples: [
      'docket list',
      'docket list --status queued,blocked',
      "docket list --json | jq -r '.tasks[].id'",
    ],
    load: () => import('../commands/list.ts'),
  },
  {
    name: 'run',
    group: 'Queue',
    summary: 'Run what is queued with your agents',
    operand: { kind: 'text', label: '[task…]', min: 0, max: Infinity },
    options: [
      {
        name: 'agent',
        summary: 'Use this agent for all (default: defaultAgent)',
        value: { kind: 'text', label: 'NAME' },
      },
      {
        name: 'parallel',
        summary: 'Tasks at once, 1 to 64 (default 1)',
        value: { kind: 'integer', label: 'N' },
      },
      { name: 'dry-run', summary: 'Show what would run; start nothing' },
    ],
    notes: [
      'Runs until nothing can start. A task that you name is tried again, also when it',
      'is blocked or failed. Ctrl-C puts running work back into the queue;',
      'the next run takes it up where it was. Every attempt is kept in .docket/.',
      'Exit code: 0 all done, 1 some failed, 5 a person must act, 75 try later.',
    ],
    examples: ['docket run', 'docket run --agent claude --parallel 3', 'docket run fix-login --dry-run'],
    load: () => import('../commands/run.ts'),
  },
];
