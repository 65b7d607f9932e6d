import { resolve } from 'node:path';
import type { AddInput } from '../../../project/docket.ts';
import { capsIn, last, readStdin, usage } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { nameOf } from '../frame/name.ts';
import { visible } from '../frame/visible.ts';

const source = 'Text, or an issue as JSON ("-": stdin)';
const workflow = 'Workflow, and the step it begins with';
const doer = 'A packet or an agent does it';
const branch = 'Its branch, and what that starts from';
const pullRequest = 'Open a pull request (never unless asked)';
const name = 'Its name, or let the agent propose one';

export const command: Definition = {
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
    {
      name: 'key',
      summary: 'The same key again returns the same task',
      value: { kind: 'text', label: 'KEY' },
    },
    { name: 'again', summary: 'Add it also if its branch is busy' },
  ],
  notes: ["The first line is the title. '#7' is GitHub issue 7, through gh (quote it)."],
  examples: [
    'docket add "Fix the flaky login test" --worktree --budget money=2',
    "docket add '#7' --workflow default --worktree --draft-pr",
  ],
  answer: json.one('The task that was put into the queue, or was there under the same key.', {
    ...json.short,
    title: json.text,
    findings: json.maybe(json.findings, "What is wrong with the queue's file."),
  }),
  run,
};

async function run(context: Context): Promise<number> {
  const input = { ...(await workOf(context)), ...wishesOf(context) };
  const { task, findings } = await withDocket(context, async (docket) => ({
    task: await docket.add(input),
    findings: docket.findings(),
  }));
  const { globals, out } = context;
  const name = nameOf(task);
  const isBroken = findings.some(({ severity }) => severity === 'error');
  const problems = findings.length > 0 ? { findings } : {};
  if (globals.json) out.answer({ id: task.id, status: task.status, name, title: task.title, ...problems });
  else if (globals.quiet) out.data(task.id);
  else {
    const called = name === task.id ? '' : ` ${visible(name)}`;
    out.data(`${task.status} ${task.id}${called}; see it with: docket list`);
  }
  if (findings.length > 0 && !globals.json) {
    (await import('../frame/findings.ts')).warnOf(findings, context);
    if (isBroken) out.talk('The task was added all the same: docket keeps it in its journal.');
  }
  return isBroken ? needsPerson : 0;
}

/** The task is safe, and a script still learns that somebody has to mend the file. */
const needsPerson = 5;

type Work = Pick<AddInput, 'text' | 'issue' | 'issueJson' | 'from'>;

/** The words come from one place: the line, stdin, a file, an issue. */
async function workOf(context: Context): Promise<Work> {
  const { operands } = context.args;
  const file = last(context.args, 'file');
  const json = last(context.args, 'issue-json');
  const from = last(context.args, 'from');
  const issue = issueIn(operands);
  if (from !== undefined && (json !== undefined || issue !== undefined))
    throw usage('the work comes twice: from an issue and from the board', 'give one of them', 'add');
  if ([operands.length > 0, file !== undefined, json !== undefined].filter(Boolean).length > 1) {
    throw usage(
      'the text comes twice: as words, with --file or with --issue-json',
      'give one of them',
      'add',
    );
  }
  if (json !== undefined) {
    const source = json === '-' ? 'stdin' : resolve(context.world.cwd, json);
    return { text: '', issueJson: { text: await readFrom(context, json), source } };
  }
  if (issue !== undefined) return { text: '', issue };
  if (operands.includes('-') && operands.length > 1) {
    throw usage('"-" reads the text from stdin and cannot stand beside words', 'give one of them', 'add');
  }
  const place = file ?? (operands[0] === '-' ? '-' : undefined);
  const text = place === undefined ? operands.join(' ') : await readFrom(context, place);
  if (text.trim() !== '' || from !== undefined) return { text, ...(from !== undefined && { from }) };
  throw usage(
    'the task has no text',
    `say what is to be done: docket add "Fix the flaky login test"; quote an issue: docket add '#7'`,
    'add',
  );
}

/** `#7` alone is an issue; in a sentence it is a part of the sentence. */
function issueIn(operands: readonly string[]): number | undefined {
  const numbers = operands.map((word) => /^#([1-9]\d{0,14})$/.exec(word)?.[1]);
  if (numbers[0] === undefined || numbers.includes(undefined)) return undefined;
  if (numbers.length > 1) throw usage('one issue at a time', 'call docket add once for each', 'add');
  return Number(numbers[0]);
}

async function readFrom({ world, out }: Context, file: string): Promise<string> {
  if (file !== '-') return (await world.docket()).readText(resolve(world.cwd, file));
  if (world.stdin.isTTY === true) out.talk('Type the text; end with Ctrl-D.');
  return readStdin(world.stdin);
}

const texts = {
  name: 'name',
  workflow: 'workflow',
  'start-step': 'startStep',
  branch: 'branch',
  base: 'base',
  agent: 'agent',
  packet: 'packet',
  key: 'key',
} as const;
const flags = {
  'auto-pr': 'autoPr',
  'draft-pr': 'draftPr',
  'agent-slug': 'agentSlug',
  again: 'again',
} as const;

function wishesOf({ args, world }: Context): Omit<AddInput, 'text'> {
  const { options } = args;
  const wishes: Record<string, unknown> = {};
  for (const [option, key] of Object.entries(texts)) {
    const value = last(args, option);
    if (value !== undefined) wishes[key] = value;
  }
  for (const [option, key] of Object.entries(flags)) if (options.has(option)) wishes[key] = true;
  const priority = last(args, 'priority');
  const budget = capsIn(args);
  const needs = options.get('needs');
  const attach = options.get('attach')?.map((file) => resolve(world.cwd, file));
  return {
    ...wishes,
    ...(options.has('worktree') && { worktree: last(args, 'worktree') ?? true }),
    ...(priority !== undefined && { priority: Number(priority) }),
    ...(budget && { budget }),
    ...(needs !== undefined && { needs }),
    ...(attach !== undefined && { attach }),
  };
}
