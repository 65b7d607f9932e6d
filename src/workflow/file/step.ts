import type { Json } from '../../task/json.ts';
import {
  count,
  isMapping,
  many,
  mapping,
  oneOrMany,
  type Place,
  type Read,
  type Reads,
  table,
  text,
  word,
  yesNo,
} from './fields.ts';
import { idleInStep, provider, ref, refusedInStep } from './refused.ts';

/** A condition in words, or a command that docket runs. */
export type GateFile =
  | { at: Place; criterion: string }
  | { at: Place; command: string; name?: string; cwd?: string; timeout_ms?: number };

const type: Reads<string> = (value, spot) =>
  value === 'command'
    ? value
    : spot.instead('command', `${spot.name} must be "command"`, 'Write "type: command".');

/** Below the work tree: commands of a workflow have no business elsewhere. */
const folder: Reads<string> = (value, spot) => {
  const said = text()(value, spot);
  if (!/^[/\\]|^[A-Za-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)|\0/.test(said)) return said;
  return spot.instead(
    '.',
    `${spot.name} leads out of the work tree`,
    'Name a folder inside it, from its root.',
  );
};

const longestMs = 24 * 60 * 60 * 1000;

const commandBlock = mapping({
  known: { type, name: text(), command: text(), cwd: folder, timeout_ms: count(1, longestMs, 300_000) },
});

/** A bare text is a criterion among `gates`, and a command among `commands`. */
function gates(as: 'gates' | 'commands'): Reads<GateFile[]> {
  return many((value, spot) => {
    const at = spot.path;
    if (typeof value !== 'object' || value === null) {
      const said = text()(value, spot);
      return as === 'gates' ? { at, criterion: said } : { at, command: said };
    }
    const { type: _, command, ...rest } = commandBlock(value, spot);
    if (command === undefined) spot.complain(`${spot.name} has no command`, 'Add `command: npm test`.');
    return { ...rest, command: command ?? '' };
  });
}

/** It becomes a file in the run's folder: words with dots, no way up, nothing hidden. */
const namePattern = /^(?![./])(?!.*(?:\/\/|\/\.))[\p{L}\p{N}_./ -]{1,120}$/u;

const fileName: Reads<string> = (value, spot) => {
  const said = text()(value, spot);
  if (said === '' || (namePattern.test(said) && !said.endsWith('/'))) return said;
  return spot.instead('', `${spot.name} is no name of a report`, 'Write a file name such as 01-plan.md.');
};

const described = mapping({
  known: { name: fileName, format: ref, order: ref, use_judge: yesNo(true) },
});

type ReportFile = ReturnType<typeof described> & { name: string };

/** `{name, format, …}`, `Label: file.md`, or the file's name alone. */
const report: Reads<ReportFile> = (value, spot) => {
  const at = spot.path;
  if (typeof value === 'string') return { at, name: fileName(value, spot) };
  const label = labelIn(value);
  if (label) return { at, name: fileName(label[1], spot.below(label[0])) };
  const read = described(value, spot);
  if (read.name === undefined) spot.complain(`${spot.name} has no name`, 'Add `name: 01-plan.md`.');
  return { ...read, name: read.name ?? '' };
};

function labelIn(value: Json | undefined): [string, string] | undefined {
  const [entry, second] = isMapping(value) ? Object.entries(value) : [];
  if (entry === undefined || second !== undefined || typeof entry[1] !== 'string') return undefined;
  return entry[0] === 'name' || entry[0] === 'format' ? undefined : [entry[0], entry[1]];
}

const reports = oneOrMany(report);
const contractBlock = mapping({ known: { report: reports } });

/** Newer files have the list below `report`. */
const contracts: Reads<ReturnType<typeof contractBlock>> = (value, spot) =>
  Array.isArray(value) ? { at: spot.path, report: reports(value, spot) } : contractBlock(value, spot);

export type Right = 'readonly' | 'edit' | 'full' | 'default';
const right: Reads<Right> = word(['readonly', 'edit', 'full', 'default'], {
  acceptEdits: 'edit',
  bypassPermissions: 'full',
});

/** `condition: true` says the same as the word. */
const said: Reads<string> = (value, spot) =>
  typeof value === 'boolean' ? String(value) : text()(value, spot);

const rule = mapping({
  known: {
    condition: said,
    when: said,
    next: text(),
    return: text(),
    appendix: text(''),
    requires_user_input: yesNo(false),
    interactive_only: yesNo(false),
  },
  older: { next_step: 'next', next_movement: 'next' },
});
export type RuleFile = ReturnType<typeof rule>;
export const rules: Reads<RuleFile[]> = (value, spot) =>
  isMapping(value)
    ? spot.instead(
        [],
        `not supported: ${spot.name} as a tree`,
        'Write a list here, and one below each part of "parallel".',
      )
    : many(rule)(value, spot);

const scalar: Reads<string | number | boolean> = (value, spot) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : spot.instead('', `${spot.name} must be a text, a number, true or false`, 'Write one.');

const commands: Reads<GateFile[] | 'project'> = (value, spot) =>
  value === 'project' ? value : gates('commands')(value, spot);

const kinds: Reads<'agent' | 'checks' | 'workflow_call'> = (value, spot) =>
  value === 'system'
    ? spot.instead('agent', 'not supported: system steps', refusedInStep['mode'] ?? '')
    : word(['agent', 'checks', 'workflow_call'])(value, spot);

const session: Reads<'continue' | 'refresh'> = (value, spot) =>
  value === 'compact'
    ? spot.instead('continue', 'not supported: session "compact"', 'Write continue or refresh.')
    : word(['continue', 'refresh'])(value, spot);

const known = {
  name: text(),
  description: text(''),
  kind: kinds,
  persona: ref,
  persona_name: text(),
  policy: oneOrMany(ref),
  knowledge: oneOrMany(ref),
  instruction: oneOrMany(ref),
  pass_previous_response: yesNo(true),
  quality_gates: gates('gates'),
  edit: yesNo(false),
  required_permission_mode: right,
  permission_mode: right,
  allow_git_commit: yesNo(false),
  session,
  session_key: text(),
  output_contracts: contracts,
  report: reports,
  rules,
  concurrency: count(1, 64, 1),
  commands,
  call: ref,
  args: table(oneOrMany(ref)),
  vars: table(scalar),
  provider,
  model: text(),
  requires_user_input: yesNo(false),
};
export type StepFile = Read<typeof known> & { parallel?: StepFile[] };

const parallel: Reads<StepFile[]> = (value, spot) =>
  Array.isArray(value)
    ? many(steps, 1)(value, spot)
    : spot.instead(
        [],
        'not supported: "parallel" with a pool to choose from',
        'Write "parallel" as a list of steps; all of them run.',
      );

const stepRule = mapping({
  known: { ...known, parallel },
  older: {
    agent: 'persona',
    agent_name: 'persona_name',
    stance: 'policy',
    instruction_template: 'instruction',
  },
  refused: refusedInStep,
  idle: idleInStep,
});

/** A function of its own, because a step has parts that are steps. */
export function steps(...[value, spot]: Parameters<Reads<StepFile>>): StepFile {
  return stepRule(value, spot);
}
