import type { Command } from '../table.ts';

const group = 'Results';

/** What calls cost, what they may cost, and who is at a limit. */
export const spendingCommands: readonly Command[] = [
  {
    name: 'cost',
    group,
    summary: 'Show what the calls of agents have cost',
    options: [
      {
        name: 'by',
        summary: 'One row for each: task, agent, day or provider (default: task)',
        value: { kind: 'oneOf', label: 'WHAT', words: ['task', 'agent', 'day', 'provider'] },
      },
      {
        name: 'since',
        summary: 'Only since this day: 2026-01-31, or 7d (default: all)',
        value: { kind: 'text', label: 'DAY' },
      },
      { name: 'everywhere', summary: 'In all your projects' },
    ],
    notes: [
      'What nobody told is shown as unknown, never as nothing. Prices of models whose',
      'agents do not say them: prices in .docket/config.yaml.',
    ],
    examples: ['docket cost', 'docket cost --by provider --since 7d', 'docket cost --by day --json'],
    load: () => import('../commands/cost.ts'),
  },
  {
    name: 'budget',
    group,
    summary: 'Show the caps on calls, tokens, money and time, and what is used',
    options: [],
    notes: ['A cap that is reached blocks its tasks, with the command that raises it.'],
    examples: ['docket budget', 'docket budget set day.money 20'],
    load: () => import('../commands/budget.ts'),
  },
  {
    name: 'budget set',
    group,
    summary: 'Set a cap, raise it, or take it away',
    operand: { kind: 'text', label: '<cap> <number|none>', min: 2, max: 2 },
    options: [{ name: 'user', summary: 'In your own settings: a day there counts all projects' }],
    notes: [
      'A cap is SCOPE.UNIT. Scopes: attempt (one call), step, run, task, day, and',
      'providers.NAME (a day). Units: calls, tokens, money (US dollars), seconds.',
      'Tasks that it had blocked go on with: docket requeue <task>.',
    ],
    examples: [
      'docket budget set day.money 20',
      'docket budget set providers.claude.calls 100',
      'docket budget set task.tokens none',
    ],
    load: () => import('../commands/budget-set.ts'),
  },
  {
    name: 'limits',
    group,
    summary: 'Show which providers are left alone, why and until when',
    options: [],
    examples: ['docket limits', 'docket limits open claude'],
    load: () => import('../commands/limits.ts'),
  },
  {
    name: 'limits open',
    group,
    summary: 'Say that a provider can be asked again',
    operand: { kind: 'text', label: '<provider>', min: 1, max: 1 },
    options: [],
    examples: ['docket limits open claude'],
    load: () => import('../commands/limits-open.ts'),
  },
];
