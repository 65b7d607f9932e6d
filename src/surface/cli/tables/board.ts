import type { Command, Group } from '../table.ts';

const group = 'Board';

const speaking: Command['options'] = [
  { name: 'as', summary: 'Who says it (default: orchestrator)', value: { kind: 'text', label: 'NAME' } },
  {
    name: 'locale',
    summary: 'Language of the answer (default: that of the text)',
    value: { kind: 'oneOf', label: 'LANG', words: ['en', 'zh', 'ja'] },
  },
];

export const boardGroups: readonly Group[] = [
  {
    name: 'board',
    group,
    summary: 'Who does what: tasks that people and agents claim',
    notes: ['The truth is state/tasks.jsonl; state/tasks.snapshot.json is made from it.'],
    examples: ['docket say "create task: Fix the login"', 'docket board status'],
  },
];

export const boardCommands: readonly Command[] = [
  {
    name: 'say',
    group,
    summary: 'Say something to the board, in plain words',
    operand: { kind: 'text', label: '<text…>', min: 0, max: Infinity },
    options: [...speaking, { name: 'route', summary: 'Show what it means; do nothing' }],
    notes: ['English, Chinese, Japanese. "-" reads stdin. All commands: docket say help'],
    examples: [
      'docket say "create task: Fix the login"',
      'docket say "claim T-001" --as ann',
      'docket say 项目状态',
    ],
    load: () => import('../commands/say.ts'),
  },
  {
    name: 'board status',
    group,
    summary: 'Show the board, or one of its tasks',
    operand: { kind: 'text', label: '[task]', min: 0, max: 1 },
    options: [...speaking, { name: 'all', summary: 'A longer list' }],
    examples: ['docket board status', 'docket board status T-001 --locale en'],
    load: () => import('../commands/board-status.ts'),
  },
];
