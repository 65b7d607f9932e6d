import type { Context } from './context.ts';
import { statusNames, statusSynonyms } from './statuses.ts';

/** The one table of commands. Parsing, help and completion are all read from it. */
export interface Command {
  /** One word, or a group and a word (`gate approve`). */
  readonly name: string;
  /** The heading under which help lists it. */
  readonly group: string;
  readonly summary: string;
  readonly operand?: Operand;
  readonly options: readonly Option[];
  readonly examples: readonly string[];
  /** Lines that help shows below the options. */
  readonly notes?: readonly string[];
  readonly load: () => Promise<{ run: (context: Context) => Promise<number> }>;
}

/** What a word may be; completion offers it, and the parser refuses other words of a closed list. */
type Words =
  | { readonly kind: 'text' | 'integer' | 'file' | 'directory' | 'command' }
  | { readonly kind: 'oneOf'; readonly words: readonly string[]; readonly synonyms?: typeof statusSynonyms };

export type Operand = Words & { readonly label: string; readonly min: number; readonly max: number };

export interface Option {
  readonly name: string;
  readonly short?: string;
  readonly summary: string;
  /** Absent for a flag. `many`: may be repeated, and takes a list with commas. */
  readonly value?: Words & { readonly label: string; readonly many?: true };
}

export const globalOptions: readonly Option[] = [
  {
    name: 'root',
    summary: 'Work in DIR (default: the nearest folder above with a marker)',
    value: { kind: 'directory', label: 'DIR' },
  },
  { name: 'json', summary: 'One JSON value on stdout, nothing else' },
  { name: 'quiet', summary: 'Answers and errors only: no hints, no warnings' },
  { name: 'no-color', summary: 'No colours (also: NO_COLOR, CI, no terminal)' },
  { name: 'help', short: 'h', summary: 'Show help, also for one command' },
  { name: 'version', summary: 'Print the version' },
];

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

export const commands: readonly Command[] = [
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
    load: () => import('./commands/add.ts'),
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
    load: () => import('./commands/list.ts'),
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
    load: () => import('./commands/run.ts'),
  },
  {
    name: 'agents',
    group: 'Agents',
    summary: 'Show the agents: found, version, login, what they can',
    options: [],
    notes: ['No call is spent. Settings: agents and defaultAgent in .docket/config.yaml.'],
    examples: ['docket agents', "docket agents --json | jq '.agents[] | select(.found)'"],
    load: () => import('./commands/agents.ts'),
  },
  {
    name: 'agents try',
    group: 'Agents',
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
    load: () => import('./commands/agents-try.ts'),
  },
  {
    name: 'validate',
    group: 'Checks',
    summary: 'Check files and name every problem with its fix',
    operand: { kind: 'file', label: '[path…]', min: 0, max: Infinity },
    options: [],
    notes: ['Without a path it checks the root. Nothing is changed.', 'Exit code: 0 no errors, 2 errors.'],
    examples: ['docket validate', 'docket validate .takt/tasks.yaml', 'docket validate --json'],
    load: () => import('./commands/validate.ts'),
  },
  {
    name: 'completion',
    group: 'Shell',
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
    load: () => import('./commands/completion.ts'),
  },
  {
    name: 'help',
    group: 'Shell',
    summary: 'Show help for a command, or the exit codes',
    operand: { kind: 'command', label: '[command]', min: 0, max: 2 },
    options: [],
    examples: ['docket help add', 'docket help exit-codes', 'docket help --json'],
    load: () => import('./commands/help.ts'),
  },
  {
    name: 'version',
    group: 'Shell',
    summary: 'Show the versions of docket and Node.js',
    options: [],
    examples: ['docket version', 'docket version --json'],
    load: () => import('./commands/version.ts'),
  },
];
