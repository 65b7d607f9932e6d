import { complain, many, mapping, nameOf, oneOrMany, table, type Read, type Reads } from './fields.ts';
import { gates, type GateFile } from './gate-fields.ts';
import { provider, ref } from './ref.ts';
import { idleInStep, refusedInStep } from './refused.ts';
import { contracts, reports } from './report-fields.ts';
import { count, text, word, yesNo } from './values.ts';

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
