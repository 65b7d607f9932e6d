import type { Command } from '../table.ts';

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

/** What stands around the work: the agents, checks, the shell. */
export const aroundCommands: readonly Command[] = [
  {
    name: 'agents',
    group: 'Other',
    summary: 'Show the agents: found, version, login, what they can',
    options: [],
    notes: ['No call is spent. Settings: agents and defaultAgent in .docket/config.yaml.'],
    examples: ['docket agents', "docket agents --json | jq '.agents[] | select(.found)'"],
    load: () => import('../commands/agents.ts'),
  },
  {
    name: 'agents try',
    group: 'Other',
    summary: 'Send one prompt to an agent and show what comes back',
    operand: { kind: 'text', label: '<agent> <prompt…>', min: 2, max: Infinity },
    options: [
      {
        name: 'permission',
        summary: 'What it may do: read, edit or full',
        value: { kind: 'oneOf', label: 'LEVEL', words: ['read', 'edit', 'full'] },
      },
      { name: 'model', summary: 'Model to use', value: { kind: 'text', label: 'NAME' } },
      { name: 'resume', summary: 'Continue this session', value: { kind: 'text', label: 'ID' } },
      { name: 'fork', summary: 'Continue a copy of it (with --resume)' },
    ],
    notes: [
      'Costs what one turn of the agent costs. With --json it prints one event',
      'per line, the result last.',
    ],
    examples: ['docket agents try codex "What does this repository do?" --permission read'],
    load: () => import('../commands/agents-try.ts'),
  },
  {
    name: 'ps',
    group: 'Steer',
    summary: 'Show the processes that work for tasks, with CPU and last event',
    options: [
      { name: 'end-strays', summary: 'End what no docket runs any more' },
      { name: 'dry-run', summary: 'Only say what would be ended' },
    ],
    notes: [
      'All layouts; every row is a process that lives. running: a docket runs its task.',
      'stray: a docket that died left it; --end-strays ends it, or a run takes it up.',
      'suspect: an orphan in a folder of docket that nobody knows; it is never ended.',
    ],
    examples: ['docket ps', 'docket ps --end-strays --dry-run', "docket ps --json | jq '.processes[].pid'"],
    load: () => import('../commands/ps.ts'),
  },
  {
    name: 'validate',
    group: 'Other',
    summary: 'Check files and name every problem with its fix',
    operand: { kind: 'file', label: '[path…]', min: 0, max: Infinity },
    options: [],
    notes: ['Without a path it checks the root. Nothing is changed.', 'Exit code: 0 no errors, 2 errors.'],
    examples: ['docket validate', 'docket validate .takt/tasks.yaml', 'docket validate --json'],
    load: () => import('../commands/validate.ts'),
  },
  {
    name: 'completion',
    group: 'Other',
    summary: 'Print a completion script',
    operand: { kind: 'oneOf', label: '<shell>', words: shells, min: 1, max: 1 },
    options: [],
    notes: ['Shells: bash, zsh, fish, powershell.'],
    examples: [
      'source <(docket completion bash)',
      'docket completion zsh > "${fpath[1]}/_docket"',
      'docket completion fish > ~/.config/fish/completions/docket.fish',
      'docket completion powershell | Out-String | Invoke-Expression',
    ],
    load: () => import('../commands/completion.ts'),
  },
  {
    name: 'help',
    group: 'Other',
    summary: 'Show help for a command, the exit codes, or the errors',
    operand: { kind: 'command', label: '[command]', min: 0, max: 2 },
    options: [],
    examples: ['docket help add', 'docket help exit-codes', 'docket help errors', 'docket help NOT_FOUND'],
    load: () => import('../commands/help.ts'),
  },
  {
    name: 'version',
    group: 'Other',
    summary: 'Show the versions of docket and Node.js',
    options: [],
    examples: ['docket version', 'docket version --json'],
    load: () => import('../commands/version.ts'),
  },
];
