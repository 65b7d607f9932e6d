import type { Command, Group, Operand, Option } from '../table.ts';
import { gateCommands } from './gate.ts';
import { watching } from './live.ts';

const group = 'Tasks';
const task: Operand = { kind: 'text', label: '<task>', min: 1, max: 1 };
const exits = 'Exit code: 0 all done, 1 something failed, 5 a person must act, 75 try later.';

/** How agents are started, whatever for. */
const control: readonly Option[] = [
  {
    name: 'parallel',
    summary: 'Agents at once, 1 to 64 (default: maxConcurrentAgents)',
    value: { kind: 'integer', label: 'N' },
  },
  { name: 'emulate-fork', summary: "Hand a parent's words to an agent that cannot fork" },
  ...watching,
];

export const taskGroups: readonly Group[] = [
  {
    name: 'task',
    group,
    summary: 'Tasks for many agents, each in a directory of its own',
    notes: ['Everything about one is in .agentmesh/tasks/<task>/, as plain files.'],
    examples: [
      'docket task create --title "Port the parser" --topology swarm',
      'docket task run <task> --goal "Port the parser to TypeScript"',
    ],
  },
  {
    name: 'gate',
    group,
    summary: 'Where a task waits for a person: see it, answer it',
    notes: ['An agent that cannot go on closes a gate; with your answer its task goes on.'],
    examples: ['docket gate list', 'docket gate approve <task> <gate> --note "Use port 8080"'],
  },
];

export const taskCommands: readonly Command[] = [
  {
    name: 'task create',
    group,
    summary: 'Make a task directory',
    options: [
      { name: 'title', summary: 'What it is about', value: { kind: 'text', label: 'TEXT' } },
      {
        name: 'topology',
        summary: 'swarm: all at once; squad: milestone after milestone',
        value: { kind: 'oneOf', label: 'NAME', words: ['swarm', 'squad'] },
      },
      { name: 'description', summary: 'More about it', value: { kind: 'text', label: 'TEXT' } },
    ],
    notes: ['Prints its id. --title and --topology are needed.'],
    examples: [
      'docket task create --title "Port the parser" --topology swarm',
      'id=$(docket task create --title "Audit" --topology squad --quiet)',
    ],
    load: () => import('../commands/task-create.ts'),
  },
  {
    name: 'task list',
    group,
    summary: 'Show the task directories, newest change first',
    options: [],
    notes: ['One row each: id, state, agents (finished/all), title, and what it waits for.'],
    examples: ['docket task list', "docket task list --json | jq -r '.tasks[].id'"],
    load: () => import('../commands/task-list.ts'),
  },
  {
    name: 'task show',
    group,
    summary: 'Show one: its steps, gates, milestones and files',
    operand: task,
    options: [],
    notes: ['Nothing is changed. Each gate comes with the command that answers it.'],
    examples: ['docket task show <task>', 'docket task show <task> --json | jq .steps'],
    load: () => import('../commands/task-show.ts'),
  },
  {
    name: 'task events',
    group,
    summary: 'Show its log, oldest first',
    operand: task,
    options: [
      { name: 'limit', summary: 'So many lines (default 50)', value: { kind: 'integer', label: 'N' } },
      {
        name: 'offset',
        summary: 'Leave out so many first (default 0)',
        value: { kind: 'integer', label: 'N' },
      },
      {
        name: 'type-prefix',
        summary: 'Only types that begin so',
        value: { kind: 'text', label: 'PREFIX' },
      },
      { name: 'follow', short: 'f', summary: 'Show all, then new ones as they come; Ctrl-C ends it' },
    ],
    notes: [
      'Columns: time, type, by whom, agent instance. The types are filtered first, then',
      'counted. With --json one value; with --follow --json one event per line.',
    ],
    examples: ['docket task events <task> --type-prefix gate.', 'docket task events <task> --follow'],
    load: () => import('../commands/task-events.ts'),
  },
  {
    name: 'task run',
    group,
    summary: 'Run steps that you give, or let an agent plan them',
    operand: task,
    options: [
      {
        name: 'actions',
        summary: 'Orchestrator actions as JSON ("-": from stdin)',
        value: { kind: 'file', label: 'FILE' },
      },
      {
        name: 'goal',
        summary: 'Let an agent plan, round after round, until it says done',
        value: { kind: 'text', label: 'TEXT' },
      },
      {
        name: 'agent',
        summary: 'Who plans, with --goal (default: defaultAgent)',
        value: { kind: 'text', label: 'NAME' },
      },
      {
        name: 'max-rounds',
        summary: 'Rounds with --goal, 1 to 100 (default 5)',
        value: { kind: 'integer', label: 'N' },
      },
      ...control,
    ],
    notes: [
      'With neither it goes on with what was ordered before. Everything is checked',
      'before anything starts. A blocked agent closes a gate: docket gate list.',
      exits,
    ],
    examples: [
      'docket task run <task> --actions actions.json',
      'docket task run <task> --goal "Port the parser" --agent claude --max-rounds 3',
    ],
    load: () => import('../commands/task-run.ts'),
  },
  {
    name: 'task resume',
    group,
    summary: 'Go on after a person has acted, or after an interruption',
    operand: task,
    options: [
      {
        name: 'note',
        summary: 'Approve every gate that waits, with this note, first',
        value: { kind: 'text', label: 'TEXT' },
      },
      ...control,
    ],
    notes: [
      'To act is to answer the gates (docket gate), or to write into the',
      "task's shared/human-notes.md. While a gate still waits, it is refused.",
      'Work that is not proved is checked again. A canceled task is refused:',
      'docket task retry reopens it.',
      exits,
    ],
    examples: ['docket task resume <task>', 'docket task resume <task> --note "Use port 8080"'],
    load: () => import('../commands/task-resume.ts'),
  },
  {
    name: 'task retry',
    group,
    summary: 'Retry what failed, or reopen a canceled task; done work stays done',
    operand: { kind: 'text', label: '<task> [subtask…]', min: 1, max: 50 },
    options: [
      {
        name: 'note',
        summary: 'What their agents are told',
        value: { kind: 'text', label: 'TEXT' },
      },
      ...control,
    ],
    notes: [
      'All that failed, or those that you name, each in the conversation that it had',
      'where its vendor can go on with it. What waited for them begins then. What a',
      'person rejected is tried again only by name. A canceled task is reopened:',
      'its open questions are asked again.',
      exits,
    ],
    examples: ['docket task retry <task>', 'docket task retry <task> parser --note "Node 20 is there now"'],
    load: () => import('../commands/task-retry.ts'),
  },
  {
    name: 'task join',
    group,
    summary: 'Bring the results that are there together',
    operand: task,
    options: [],
    notes: ['Also those of agents that another tool ran. Prints where the summary is.'],
    examples: ['docket task join <task>', 'less "$(docket task join <task>)"'],
    load: () => import('../commands/task-join.ts'),
  },
  {
    name: 'task cancel',
    group,
    summary: 'Give the whole task up; its agents end within seconds',
    operand: task,
    options: [{ name: 'reason', summary: 'Why, for the log', value: { kind: 'text', label: 'TEXT' } }],
    examples: ['docket task cancel <task> --reason "The parser is gone"'],
    load: () => import('../commands/task-cancel.ts'),
  },
  {
    name: 'task export',
    group,
    summary: 'Put a task directory into one archive',
    operand: task,
    options: [
      {
        name: 'output',
        summary: 'Write it here (default: <task>.tar.gz in this folder)',
        value: { kind: 'file', label: 'FILE' },
      },
    ],
    notes: ['Vendor homes, logins and locks stay behind. Prints the name of the archive.'],
    examples: ['docket task export <task>', 'docket task export <task> --output /tmp/parser.tar.gz'],
    load: () => import('../commands/task-export.ts'),
  },
  {
    name: 'task import',
    group,
    summary: 'Read such an archive back, here or elsewhere',
    operand: { kind: 'file', label: '<file>', min: 1, max: 1 },
    options: [{ name: 'dry-run', summary: 'Check it; write nothing' }],
    notes: ['Prints the id of the task. What is there already is never overwritten.'],
    examples: ['docket task import parser.tar.gz --dry-run', 'docket task import parser.tar.gz'],
    load: () => import('../commands/task-import.ts'),
  },
  {
    name: 'task validate',
    group,
    summary: 'Check its files and name every problem with its fix',
    operand: task,
    options: [],
    notes: ['Nothing is changed. Exit code: 0 no errors, 2 errors.'],
    examples: ['docket task validate <task>'],
    load: () => import('../commands/task-validate.ts'),
  },
  ...gateCommands,
];
