import type { Json } from '../../task/json.ts';
import {
  complain,
  count,
  many,
  mapping,
  nameOf,
  oneOrMany,
  type Place,
  type Read,
  type Reads,
  table,
  text,
  word,
  yesNo,
} from './fields.ts';
import { idleInStep, provider, ref, type Ref, refusedInStep } from './refused.ts';

/** A condition in words, or a command that docket runs. */
export type GateFile =
  | { at: Place; criterion: string }
  | { at: Place; command: string; name?: string; cwd?: string; timeout_ms?: number };

const type: Reads<string> = (value, path, mistakes) => {
  if (value === 'command') return value;
  complain(mistakes, { path, message: `${nameOf(path)} must be "command"`, fix: 'Write "type: command".' });
  return 'command';
};

/** Below the work tree: commands of a workflow have no business elsewhere. */
const folder: Reads<string> = (value, path, mistakes) => {
  const said = text()(value, path, mistakes);
  if (!/^[/\\]|^[A-Za-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)|\0/.test(said)) return said;
  complain(mistakes, {
    path,
    message: `${nameOf(path)} leads out of the work tree`,
    fix: 'Name a folder inside it, from its root.',
  });
  return '.';
};

const longestMs = 24 * 60 * 60 * 1000;

const commandBlock = mapping({
  known: { type, name: text(), command: text(), cwd: folder, timeout_ms: count(1, longestMs, 300_000) },
});

/** A bare text is a criterion among `gates`, and a command among `commands`. */
function gates(as: 'gates' | 'commands'): Reads<GateFile[]> {
  const gate: Reads<GateFile> = (value, path, mistakes) => {
    const at = [...path];
    if (typeof value !== 'object' || value === null) {
      const said = text()(value, path, mistakes);
      return as === 'gates' ? { at, criterion: said } : { at, command: said };
    }
    const { type: _, command, ...rest } = commandBlock(value, path, mistakes);
    if (command === undefined)
      complain(mistakes, {
        path,
        message: `${nameOf(path)} has no command`,
        fix: 'Add `command: npm test`.',
      });
    return { ...rest, command: command ?? '' };
  };
  return many(gate);
}

type ReportFile = {
  at: Place;
  name: string;
  format?: Ref;
  order?: Ref;
  use_judge?: boolean;
};

/** It becomes a file in the run's folder: words with dots, no way up, nothing hidden. */
const namePattern = /^(?![./])(?!.*(?:\/\/|\/\.))[\p{L}\p{N}_./ -]{1,120}$/u;

const fileName: Reads<string> = (value, path, mistakes) => {
  const said = text()(value, path, mistakes);
  if (said === '' || (namePattern.test(said) && !said.endsWith('/'))) return said;
  complain(mistakes, {
    path,
    message: `${nameOf(path)} is no name of a report`,
    fix: 'Write a file name such as 01-plan.md.',
  });
  return '';
};

const described = mapping({
  known: { name: fileName, format: ref, order: ref, use_judge: yesNo(true) },
});

/** `{name, format, …}`, `Label: file.md`, or the file's name alone. */
const report: Reads<ReportFile> = (value, path, mistakes) => {
  const at = [...path];
  if (typeof value === 'string') return { at, name: fileName(value, path, mistakes) };
  const label = labelIn(value);
  if (label !== undefined) return { at, name: fileName(label[1], [...path, label[0]], mistakes) };
  const read = described(value, path, mistakes);
  if (read.name === undefined)
    complain(mistakes, { path, message: `${nameOf(path)} has no name`, fix: 'Add `name: 01-plan.md`.' });
  return { ...read, name: read.name ?? '' };
};

function labelIn(value: Json | undefined): [string, string] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const [entry, second] = Object.entries(value);
  if (entry === undefined || second !== undefined || typeof entry[1] !== 'string') return undefined;
  return entry[0] === 'name' || entry[0] === 'format' ? undefined : [entry[0], entry[1]];
}

const reports: Reads<ReportFile[]> = (value, path, mistakes) =>
  Array.isArray(value) ? many(report)(value, path, mistakes) : [report(value, path, mistakes)];

const contractBlock = mapping({ known: { report: reports } });

/** Newer files have the list below `report`. */
const contracts: Reads<{ at: Place; report?: ReportFile[] }> = (value, path, mistakes) =>
  Array.isArray(value)
    ? { at: [...path], report: many(report)(value, path, mistakes) }
    : contractBlock(value, path, mistakes);

export type Right = 'readonly' | 'edit' | 'full' | 'default';
const right: Reads<Right> = word(['readonly', 'edit', 'full', 'default'], {
  acceptEdits: 'edit',
  bypassPermissions: 'full',
});

/** `condition: true` says the same as the word. */
const said: Reads<string> = (value, path, mistakes) =>
  typeof value === 'boolean' ? String(value) : text()(value, path, mistakes);

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
export const rules: Reads<RuleFile[]> = (value, path, mistakes) => {
  const isTree = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isTree) return many(rule)(value, path, mistakes);
  complain(mistakes, {
    path,
    message: `not supported: ${nameOf(path)} as a tree`,
    fix: 'Write a list here, and one below each part of "parallel".',
  });
  return [];
};

const scalar: Reads<string | number | boolean> = (value, path, mistakes) => {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  complain(mistakes, {
    path,
    message: `${nameOf(path)} must be a text, a number, true or false`,
    fix: 'Write one.',
  });
  return '';
};

const commands: Reads<GateFile[] | 'project'> = (value, path, mistakes) =>
  value === 'project' ? value : gates('commands')(value, path, mistakes);

const kinds: Reads<'agent' | 'checks' | 'workflow_call'> = (value, path, mistakes) => {
  if (value !== 'system') return word(['agent', 'checks', 'workflow_call'])(value, path, mistakes);
  complain(mistakes, { path, message: 'not supported: system steps', fix: refusedInStep['mode'] ?? '' });
  return 'agent';
};

const session: Reads<'continue' | 'refresh'> = (value, path, mistakes) => {
  if (value !== 'compact') return word(['continue', 'refresh'])(value, path, mistakes);
  complain(mistakes, {
    path,
    message: 'not supported: session "compact"',
    fix: 'Write continue or refresh.',
  });
  return 'continue';
};

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

const parallel: Reads<StepFile[]> = (value, path, mistakes) => {
  if (Array.isArray(value)) return many(steps, 1)(value, path, mistakes);
  complain(mistakes, {
    path,
    message: 'not supported: "parallel" with a pool to choose from',
    fix: 'Write "parallel" as a list of steps; all of them run.',
  });
  return [];
};

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
export function steps(...[value, path, mistakes]: Parameters<Reads<StepFile>>): StepFile {
  return stepRule(value, path, mistakes);
}
