import { vendorNames } from '../../adapters/adapters.ts';
import type { Tooling } from './project.ts';

export interface ConfigFacts {
  /** The agent to write down. Absent: none is installed, or the user's own settings name one. */
  agent?: string;
  /** What the user's own settings name. */
  usual?: string;
  /** Others that are installed. */
  others: readonly string[];
  tooling: Pick<Tooling, 'install' | 'tests'>;
  /** Where an editor finds the schema, from the file. */
  schema?: string;
}

/** A first `.docket/config.yaml`: what matters at once, and the rest as lines to uncomment. */
export function configText({ agent, usual, others, tooling, schema }: ConfigFacts): string {
  const { install = 'npm ci', tests } = tooling;
  const [test, ...more] = tests;
  return [
    ...(schema === undefined ? [] : [`# yaml-language-server: $schema=${schema}`]),
    '# How docket works in this repository. Yours to change; every key has a default.',
    '# All keys: docs/config.md of docket. Check this file: docket validate',
    '',
    '# Who does a task that names nobody. What is installed here: docket agents',
    ...(agent !== undefined
      ? [`defaultAgent: ${agent}${others.length > 0 ? ` # or ${others.join(', ')}` : ''}`]
      : [
          `# defaultAgent: ${usual ?? vendorNames[0]}${usual === undefined ? '' : ' # as your own settings say'}`,
        ]),
    '# Any command can be an agent: it reads the task from stdin, and what it prints is its report.',
    '# agents:',
    '#   mine: { adapter: command, command: [./agent.sh] }',
    '',
    '# Commands that must end well before any task is done. docket runs them itself.',
    ...(test === undefined
      ? ['# acceptance:', '#   - npm test']
      : ['acceptance:', `  - ${test}`, ...more.map((one) => `  # - ${one}`)]),
    '',
    '# Tasks at once. Those with a workspace of their own (docket add --worktree) do not wait for each other.',
    'concurrency: 1',
    '',
    '# A workspace of its own is a fresh clone: what has to be made ready there (docs/setup.md).',
    '# setup:',
    '#   copy: [.env]',
    `#   commands: [${install}]`,
    '',
    '# What may be used up, in calls, tokens, US dollars and seconds (docs/limits.md).',
    '# budgets:',
    '#   task: { money: 5 }',
    '#   day: { money: 50 }',
    '',
    '# Fallback agents while a provider is rate limited (docs/limits.md).',
    `# fallback: [${others[0] ?? vendorNames[1]}]`,
    '',
    '# How you hear that something needs you (docs/notify.md).',
    '# notify: { desktop: true }',
    '',
  ].join('\n');
}
