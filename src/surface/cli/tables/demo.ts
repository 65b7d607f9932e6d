import type { Command } from '../table.ts';

export const demoCommands: readonly Command[] = [
  {
    name: 'demo',
    group: 'Start',
    summary: 'Show what docket does, on a scratch repository, in a minute',
    options: [
      {
        name: 'agent',
        summary: 'Let a real agent do the work (else: a scripted one)',
        value: { kind: 'text', label: 'NAME' },
      },
      {
        name: 'dir',
        summary: 'Make it here, an empty folder (else: a temporary one)',
        value: { kind: 'directory', label: 'DIR' },
      },
      { name: 'remove', summary: 'Take everything away at the end' },
    ],
    notes: [
      'Five tasks of all layouts, a question to a person, a crash, a false claim that',
      'is caught, a merge. Every command is shown before it runs; only the agent is',
      'scripted, and needs no account. The folder stays, so that you can look around.',
      'With --agent codex (claude, gemini, copilot, opencode) the same work costs a',
      'dozen small calls. Exit code: 0 all as it should be, 1 something was not.',
    ],
    examples: ['docket demo', 'docket demo --agent codex', 'docket demo --remove --json'],
    load: () => import('../commands/demo.ts'),
  },
];
