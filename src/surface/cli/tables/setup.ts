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
];
