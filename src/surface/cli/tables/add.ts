import type { Command } from '../table.ts';

const source = 'Text, or an issue as JSON ("-": stdin)';
const workflow = 'Workflow, and the step it begins with';
const doer = 'A packet or an agent does it';
const branch = 'Its branch, and what that starts from';
const pullRequest = 'Open a pull request (never unless asked)';
const once = 'Once per key; also if its branch is busy';
const name = 'Its name, or let the agent propose one';

export const addCommand: Command = {
  name: 'add',
  group: 'Queue',
  summary: 'Put a piece of work into the queue',
  operand: { kind: 'text', label: "<text… | - | '#N'>", min: 0, max: Infinity },
  options: [
    { name: 'file', summary: source, value: { kind: 'file', label: 'PATH' } },
    { name: 'issue-json', summary: source, value: { kind: 'file', label: 'PATH' } },
    {
      name: 'from',
      summary: 'A board task; it is told the result',
      value: { kind: 'text', names: 'board', label: 'T-12' },
    },
    {
      name: 'attach',
      summary: 'Copy it to the task folder (repeatable)',
      value: { kind: 'file', label: 'FILE' },
    },
    { name: 'workflow', summary: workflow, value: { kind: 'text', names: 'workflow', label: 'NAME' } },
    { name: 'start-step', summary: workflow, value: { kind: 'text', label: 'STEP' } },
    { name: 'packet', summary: doer, value: { kind: 'text', label: 'INTENT' } },
    { name: 'agent', summary: doer, value: { kind: 'text', names: 'agent', label: 'NAME' } },
    { name: 'worktree', summary: 'In a clone of its own (else: in place)', inline: { label: 'PATH' } },
    { name: 'branch', summary: branch, value: { kind: 'text', label: 'NAME' } },
    { name: 'base', summary: branch, value: { kind: 'text', label: 'NAME' } },
    { name: 'auto-pr', summary: pullRequest },
    { name: 'draft-pr', summary: pullRequest },
    {
      name: 'needs',
      summary: 'Wait until this task is done (repeatable)',
      value: { kind: 'text', names: 'queue', label: 'ID', many: true },
    },
    {
      name: 'priority',
      summary: 'Higher runs earlier: -100 to 100 (else 0)',
      value: { kind: 'integer', label: 'N' },
    },
    {
      name: 'budget',
      summary: 'Its caps: money=5, calls, tokens, seconds',
      value: { kind: 'text', label: 'UNIT=N', many: true },
    },
    { name: 'name', summary: name, value: { kind: 'text', label: 'NAME' } },
    { name: 'agent-slug', summary: name },
    { name: 'key', summary: once, value: { kind: 'text', label: 'KEY' } },
    { name: 'again', summary: once },
  ],
  notes: ["The first line is the title. '#7' is GitHub issue 7, through gh (quote it)."],
  examples: [
    'docket add "Fix the flaky login test" --worktree --budget money=2',
    "docket add '#7' --workflow default --worktree --draft-pr",
  ],
  load: () => import('../commands/add.ts'),
};
