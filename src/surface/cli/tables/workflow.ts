import type { Command, Group, Operand } from '../table.ts';

const group = 'Tasks';
const workflow: Operand = { kind: 'text', label: '<workflow>', min: 1, max: 1 };

export const workflowGroups: readonly Group[] = [
  {
    name: 'workflow',
    group,
    summary: 'The steps that a task goes through, and who takes them',
    notes: ['Yours are in .takt/workflows/; how to write one is in docs/workflows.md.'],
    examples: ['docket workflow list', 'docket workflow new careful --from default'],
  },
];

export const workflowCommands: readonly Command[] = [
  {
    name: 'workflow list',
    group,
    summary: 'Show the workflows, one row each',
    options: [],
    notes: [
      'Columns: name, layer (project over user over built-in), steps, description.',
      'A task takes one with docket add --workflow NAME.',
    ],
    examples: ['docket workflow list', "docket workflow list --json | jq -r '.workflows[].file'"],
    load: () => import('../commands/workflow-list.ts'),
  },
  {
    name: 'workflow show',
    group,
    summary: 'Show one: its steps, and where each rule leads',
    operand: workflow,
    options: [
      {
        name: 'prompt',
        summary: "Show what this step's agent is told instead",
        value: { kind: 'text', label: 'STEP' },
      },
    ],
    notes: ['A name, or a path that ends in .yaml. Nothing is changed.'],
    examples: ['docket workflow show default', 'docket workflow show default --prompt review'],
    load: () => import('../commands/workflow-show.ts'),
  },
  {
    name: 'workflow check',
    group,
    summary: 'Find everything that is wrong with workflows',
    operand: { kind: 'file', label: '[workflow…]', min: 0, max: Infinity },
    options: [],
    notes: [
      'Names or paths; without one, all of them. Unknown targets, steps that nothing',
      'leads to or that never end, missing files, entries that nobody uses.',
      'Exit code: 0 no errors (warnings are printed), 1 errors, 3 no such workflow.',
    ],
    examples: ['docket workflow check', 'docket workflow check .takt/workflows/mine.yaml --json'],
    load: () => import('../commands/workflow-check.ts'),
  },
  {
    name: 'workflow new',
    group,
    summary: 'Write a new one to .takt/workflows/, to edit',
    operand: { kind: 'text', label: '<name>', min: 1, max: 1 },
    options: [
      {
        name: 'from',
        summary: 'Begin with a copy of this workflow',
        value: { kind: 'text', label: 'WORKFLOW' },
      },
      {
        name: 'template',
        summary: 'minimal (one step) or full (default minimal)',
        value: { kind: 'oneOf', label: 'KIND', words: ['minimal', 'full'] },
      },
    ],
    notes: ['Prints the file. One that is there is never overwritten.'],
    examples: ['docket workflow new mine', 'docket workflow new default --from default'],
    load: () => import('../commands/workflow-new.ts'),
  },
  {
    name: 'workflow graph',
    group,
    summary: 'Draw one as text for Mermaid',
    operand: workflow,
    options: [
      { name: 'format', summary: 'mermaid, the only one', value: { kind: 'text', label: 'FORMAT' } },
      { name: 'out', summary: 'Write to this file', value: { kind: 'file', label: 'FILE' } },
      { name: 'force', summary: 'Also over a file that is there' },
    ],
    examples: ['docket workflow graph default', 'docket workflow graph default --out default.mmd'],
    load: () => import('../commands/workflow-graph.ts'),
  },
];
