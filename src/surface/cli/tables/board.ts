import type { Command, Group } from '../table.ts';
import { boardToolCommands } from './board-tools.ts';
import { watching } from './live.ts';

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
    examples: ['docket board init', 'docket say "create task: Fix the login"', 'docket board status'],
  },
];

export const boardCommands: readonly Command[] = [
  {
    name: 'say',
    group,
    summary: 'Say something to the board, in plain words',
    operand: { kind: 'text', label: '<text…>', min: 0, max: Infinity },
    options: [...speaking, { name: 'route', summary: 'Show what it means; do nothing' }],
    notes: [
      'English, Chinese, Japanese. "-" reads stdin. All commands: docket say help',
      'The answer is in the language of the text, or in that of --locale.',
    ],
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
    notes: ['In your language: Chinese or Japanese where LANG says so, else English.'],
    examples: ['docket board status', 'docket board status T-001 --locale en'],
    load: () => import('../commands/board-status.ts'),
  },
  {
    name: 'board synthesize',
    group,
    summary: 'What came of the work: done, in review, blocked',
    operand: { kind: 'text', label: '[task]', min: 0, max: 1 },
    options: speaking,
    examples: ['docket board synthesize', 'docket board synthesize T-001'],
    load: () => import('../commands/board-synthesize.ts'),
  },
  {
    name: 'board apply',
    group,
    summary: 'Do what a text says (the same as docket say)',
    operand: { kind: 'text', label: '<text…>', min: 0, max: Infinity },
    options: speaking,
    notes: ['"-" reads stdin. Exit code: 3 no such task, 4 refused, 5 the gate held it.'],
    examples: ['docket board apply "claim task T-001" --as ann', 'docket board apply - < message.txt'],
    load: () => import('../commands/board-apply.ts'),
  },
  {
    name: 'board route',
    group,
    summary: 'Show what a text means; do nothing',
    operand: { kind: 'text', label: '<text…>', min: 0, max: Infinity },
    options: speaking,
    examples: ['docket board route "@debugger create task: look into T-001" --json'],
    load: () => import('../commands/board-route.ts'),
  },
  {
    name: 'board dispatch',
    group,
    summary: 'Give a task to an agent',
    operand: { kind: 'text', label: '<task> <role> [text…]', min: 2, max: Infinity },
    options: [
      ...speaking,
      { name: 'spawn', summary: 'Start the worker here, wait, judge what it hands in' },
      ...watching,
    ],
    notes: [
      'Without --spawn the task is claimed for the agent, who is told and reports back.',
      'Which agent does a role: .docket/config.yaml.',
    ],
    examples: ['docket board dispatch T-001 coder', 'docket board dispatch T-001 debugger --spawn'],
    load: () => import('../commands/board-dispatch.ts'),
  },
  {
    name: 'board clarify',
    group,
    summary: 'Ask a role about a task; not too often',
    operand: { kind: 'text', label: '<task> <role> <question…>', min: 3, max: Infinity },
    options: speaking,
    notes: ['Once in 5 minutes for a role, and for the group. Exit code: 75 too early.'],
    examples: ['docket board clarify T-001 coder "Which Node versions?"'],
    load: () => import('../commands/board-clarify.ts'),
  },
  {
    name: 'board autopilot',
    group,
    summary: 'Give the next tasks to workers, one after the other',
    operand: { kind: 'text', label: '[steps | on [steps] | off | status]', min: 0, max: 2 },
    options: [...speaking, ...watching],
    notes: [
      'A number (default 3): so many steps now. on: it goes on by itself as tasks',
      'become runnable, with docket chat. Exit code: 5 some are blocked.',
    ],
    examples: ['docket board autopilot 2', 'docket board autopilot on', 'docket board autopilot status'],
    load: () => import('../commands/board-autopilot.ts'),
  },
  ...boardToolCommands,
];
