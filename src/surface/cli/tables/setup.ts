import type { Command } from '../table.ts';

const group = 'Start';

/** Before the first task, and when something is wrong. */
export const setupCommands: readonly Command[] = [
  {
    name: 'init',
    group,
    summary: 'Set a project up: settings, and what git ignores',
    options: [
      { name: 'agents-md', summary: 'Also tell agents about docket, in a block of AGENTS.md' },
      { name: 'dry-run', summary: 'Only show what would be written' },
    ],
    notes: [
      'Looks for git, agents, package manager and test command, and writes a short',
      '.docket/config.yaml from it. What is there already is left as it is, and told;',
      'of AGENTS.md only what stands between the two markers of docket is replaced.',
      'It works in the root of the repository: docket init --root . for this folder.',
    ],
    examples: ['docket init', 'docket init --dry-run', 'docket init --agents-md'],
    load: () => import('../commands/init.ts'),
  },
  {
    name: 'doctor',
    group,
    summary: 'Look for what is missing or broken, and how to mend it',
    options: [],
    notes: [
      'Machine, git, disk, settings, agents, sandbox, the files of all tasks, what',
      'died and left something behind, limits, budgets and notices. It only reads,',
      'and no call of an agent is spent. Exit code: 0 nothing bad, 1 something is.',
    ],
    examples: ['docket doctor', 'docket doctor --json | jq \'.findings[] | select(.state != "ok")\''],
    load: () => import('../commands/doctor.ts'),
  },
  {
    name: 'repair',
    group,
    summary: 'Accept a log that lost something as it is',
    operand: { kind: 'text', label: '[log]', min: 0, max: 1 },
    options: [{ name: 'apply', summary: 'Do it; without this, only show what would be done' }],
    notes: [
      'LOG: queue, board, or the id of a task directory or packet. Default: all.',
      'docket refuses a log that ends before the last event it acknowledged.',
      'A newer backup is the better way out. Without one: lines that are no events',
      'are set aside, ids of lost tasks are not used again, and tasks that your',
      'files call completed are marked done by hand instead of being run again.',
      'A copy of what is replaced stays in .docket (of a packet: in the packet).',
    ],
    examples: ['docket repair', 'docket repair board --apply'],
    load: () => import('../commands/repair.ts'),
  },
];
