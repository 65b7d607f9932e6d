import type { Group } from './command.ts';

/** What help says of the first words that are no command by themselves. */
export const groups: readonly Group[] = [
  {
    name: 'queue',
    group: 'Tasks',
    summary: "Put the queue's files in order: archive, migrate, removals",
    notes: ['.takt/tasks.yaml lists the tasks; docket and other tools both write it.'],
    examples: ['docket queue archive --older-than 30d', 'docket queue migrate'],
  },
  {
    name: 'task',
    group: 'Tasks',
    summary: 'Tasks for many agents, each in a directory of its own',
    notes: ['Everything about one is in .agentmesh/tasks/<task>/, as plain files.'],
    examples: [
      'docket task create --title "Port the parser" --topology swarm',
      'docket task run <task> --goal "Port the parser to TypeScript"',
    ],
  },
  {
    name: 'gate',
    group: 'Tasks',
    summary: 'Where a task waits for a person: see it, answer it',
    notes: ['An agent that needs a decision asks; your answer lets it continue.'],
    examples: ['docket gate list', 'docket gate approve <task> <gate> --note "Use port 8080"'],
  },
  {
    name: 'packet',
    group: 'Tasks',
    summary: 'Work in stages: brief, implement, verify, review',
    notes: ['Everything about one is in .tmp/task/<packet>/; its manifest.yaml is yours.'],
    examples: ['docket packet new --goal "Retry failed logins" --allow src', 'docket packet run <packet>'],
  },
  {
    name: 'board',
    group: 'Board',
    summary: 'Who does what: tasks that people and agents claim',
    notes: ['The truth is state/tasks.jsonl; state/tasks.snapshot.json is made from it.'],
    examples: ['docket board init', 'docket say "create task: Fix the login"', 'docket board status'],
  },
  {
    name: 'chat',
    group: 'Board',
    summary: 'Work the board from a chat: Feishu, Lark, or any other',
    notes: ['One chat serves a board at a time, until Ctrl-C. All about it: docs/chat.md'],
    examples: ['docket chat feishu', 'docket chat status'],
  },
  {
    name: 'workflow',
    group: 'Tasks',
    summary: 'The steps that a task goes through, and who takes them',
    notes: ['Yours are in .takt/workflows/; how to write one is in docs/workflows.md.'],
    examples: ['docket workflow list', 'docket workflow new careful --from default'],
  },
  {
    name: 'notify',
    group: 'Other',
    summary: 'How you hear that something needs you',
    notes: [
      'Runs ring the terminal in which you watch them. Other ways are set up in',
      '"notify" in .docket/config.yaml: desktop, webhook, chat. See docs/notify.md',
    ],
    examples: ['docket notify test', 'docket notify status'],
  },
  {
    name: 'skill',
    group: 'Other',
    summary: 'Teach agents to drive docket',
    notes: ['A skill is a SKILL.md that Claude Code, Codex and others read by themselves.'],
    examples: ['docket skill install', 'docket skill install --user', 'docket skill show'],
  },
];
