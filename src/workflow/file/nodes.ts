import type { Check, Facet, Node, Permission, PromptParts, ReportContract } from '../graph.ts';
import { own } from './fields.ts';
import { type FacetKind, kindName, type Text } from './library.ts';
import type { Ref } from './refused.ts';
import { type Ends, type RuleOwner, rulesOf } from './rule-list.ts';
import { type Compilation, refsOf, type Scope } from './scope.ts';
import type { GateFile, Right, StepFile } from './step.ts';

export interface Surroundings {
  all: Compilation;
  scope: Scope;
  ends: Ends;
  /** The commands that prove work in this project. */
  acceptance: readonly Check[];
}

type Prompted = Pick<
  StepFile,
  'persona' | 'policy' | 'knowledge' | 'instruction' | 'pass_previous_response' | 'quality_gates'
>;

/** One step, with every text in it. Its parts are nodes of their own. */
export function nodeOf(around: Surroundings, step: StepFile, id: string, part = false): Node {
  const { all, scope, ends, acceptance } = around;
  const { name = id, parallel, kind, commands } = step;
  const is = parallel ? 'fan' : kind === 'checks' || commands !== undefined ? 'checks' : 'work';
  checkKeys(scope, step, is, part);
  const owner: RuleOwner = parallel
    ? { kind: 'fan', parts: parallel }
    : { kind: part ? 'part' : is === 'checks' ? 'checks' : 'work' };
  const role = roleOf(step, name);
  const gates =
    is === 'checks' ? (commands === 'project' ? [] : (commands ?? [])) : (step.quality_gates ?? []);
  const parts = (parallel ?? []).flatMap((inner) => scope.ids.get(inner.name ?? '') ?? []);
  return {
    id,
    title: scope.prefix + name,
    kind: is,
    role,
    ...whoDoes(scope, step),
    ...rightsOf(step),
    session: { mode: step.session === 'refresh' ? 'fresh' : 'continue', key: step.session_key ?? role },
    prompt: promptOf(all, scope, is === 'work' ? step : {}),
    reports: reportsOf(all, scope, step),
    checks: is === 'checks' && commands === 'project' ? acceptance : checksIn(gates),
    rules: rulesOf(scope, ends, step, owner),
    ...(parallel && { parts }),
    ...(parallel && step.concurrency !== undefined && { slots: step.concurrency }),
  };
}

export function promptOf(all: Compilation, scope: Scope, step: Prompted): PromptParts {
  const [persona] = facetsOf(all, scope, 'personas', step.persona ? [step.persona] : []);
  const instruction = facetsOf(all, scope, 'instructions', step.instruction).map(({ text }) =>
    withVars(text, scope.vars),
  );
  return {
    ...(persona && { persona: persona.text }),
    knowledge: facetsOf(all, scope, 'knowledge', step.knowledge),
    instruction: instruction.join('\n\n'),
    criteria: (step.quality_gates ?? []).flatMap((gate) => ('criterion' in gate ? gate.criterion : [])),
    policy: facetsOf(all, scope, 'policies', step.policy),
    passPrevious: step.pass_previous_response ?? true,
  };
}

/** The part it plays has the name of its persona; a persona in words has none. */
export function roleOf(
  { persona, persona_name: shown }: Pick<StepFile, 'persona' | 'persona_name'>,
  name: string,
): string {
  const word = persona && !persona.param && !/\s/.test(persona.text) ? roleWord(persona.text) : undefined;
  return word || shown || name;
}

export function whoDoes(
  scope: Scope,
  { provider = scope.provider, model }: Pick<StepFile, 'provider' | 'model'>,
): Pick<Node, 'agent' | 'model'> {
  const named = model ?? provider?.model ?? scope.model;
  // Three ways to start the same vendor's agent; docket has one.
  const agent = provider && provider.type.replace(/^claude-(?:sdk|terminal|code)$/, 'claude');
  return { ...(agent && { agent }), ...(named !== undefined && { model: named }) };
}

const rights: Readonly<Record<Right, Permission | undefined>> = {
  readonly: 'read',
  edit: 'edit',
  full: 'full',
  default: undefined,
};

function rightsOf(step: StepFile): Pick<Node, 'permission' | 'floor' | 'commits'> {
  const said = step.edit === undefined ? undefined : step.edit ? 'edit' : 'read';
  const permission = (step.permission_mode && rights[step.permission_mode]) ?? said;
  const floor = step.required_permission_mode && rights[step.required_permission_mode];
  return {
    ...(permission && { permission }),
    ...(floor && { floor }),
    ...(step.allow_git_commit && { commits: true }),
  };
}

function reportsOf(all: Compilation, scope: Scope, step: StepFile): ReportContract[] {
  const seen = new Set<string>();
  return [...(step.output_contracts?.report ?? []), ...(step.report ?? [])].flatMap((report) => {
    const { name, format, order, use_judge: judged = true, at } = report;
    if (name === '') return [];
    if (seen.has(name))
      scope.complain(at, `the report ${name} is there twice`, 'Give one of them another name.');
    seen.add(name);
    const texts = [order, format].flatMap((ref) =>
      ref ? facetsOf(all, scope, 'report_formats', [ref]) : [],
    );
    return [{ name, format: texts.map(({ text }: Facet) => text).join('\n\n'), judged }];
  });
}

function checksIn(gates: readonly GateFile[]): Check[] {
  return gates.flatMap((gate) => {
    if (!('command' in gate) || gate.command === '') return [];
    const { command, name = command.split('\n')[0]?.slice(0, 60) ?? '', cwd, timeout_ms: timeoutMs } = gate;
    return [
      { name, command, ...(cwd !== undefined && { cwd }), ...(timeoutMs !== undefined && { timeoutMs }) },
    ];
  });
}

const agentKeys = [
  'persona',
  'policy',
  'knowledge',
  'instruction',
  'output_contracts',
  'report',
  'edit',
  'provider',
  'model',
  'session',
  'session_key',
] as const;

function checkKeys(scope: Scope, step: StepFile, is: Node['kind'], part: boolean): void {
  const bad = (key: string, message: string, fix: string) =>
    scope.complain([...step.at, key], message, fix, { atKey: true });
  if (part && step.parallel) bad('parallel', 'a part cannot have parts', 'Write them side by side.');
  if (part && step.call) bad('call', 'a part cannot be another workflow', 'Call it in a step of its own.');
  if (is !== 'fan' && step.concurrency !== undefined)
    bad('concurrency', 'only "parallel" has "concurrency"', 'Take it out.');
  if (is === 'checks' && step.commands === undefined)
    bad('kind', 'it has no commands', 'Add `commands: [npm test]`, or `commands: project`.');
  if (is === 'work') return;
  for (const key of [...agentKeys, 'quality_gates'] as const)
    if (step[key] !== undefined)
      bad(
        key,
        `"${key}" means nothing in a step without an agent`,
        is === 'fan' ? 'Write it in the parts.' : 'Take it out.',
      );
}

const bareName = /^[\p{L}\p{N}_@][\p{L}\p{N}_.@-]{0,99}$/u;
const pathLike = /^[^\s\0]+$/;
const extendsLine = /^[^\S\n]*\{extends:\s*([^{}\n]{1,100}?)\s*\}[^\S\n]*$/gm;
const deepestExtension = 8;
/** Texts that TAKT also takes as one word; an unknown persona, policy or knowledge is more likely a slip. */
const mayBeWords: ReadonlySet<FacetKind> = new Set(['instructions', 'report_formats']);

/** The texts that a reference stands for: a section's entry, a file by its name or path, or the words themselves. */
function facetsOf(all: Compilation, scope: Scope, kind: FacetKind, refs: readonly Ref[] = []): Facet[] {
  return refs
    .flatMap((ref) => refsOf(scope, ref))
    .flatMap((one) => facetOf(all, one.scope, kind, one.ref) ?? []);
}

function facetOf(all: Compilation, scope: Scope, kind: FacetKind, ref: Ref): Facet | undefined {
  if (ref.text === '') return undefined; // said already
  const entry = own(scope.file[kind] ?? {}, ref.text);
  if (entry) scope.used.add(`${kind}.${ref.text}`);
  const { text, at } = entry ?? ref;
  const name = entry ? ref.text : text;
  const found = isPath(text)
    ? all.library.file(text, scope.source)
    : bareName.test(text)
      ? all.library.named(kind, text, new Set())
      : { name: kindName[kind], file: '', text };
  if ('missing' in found) {
    if (isPath(text) || found.isNear || !mayBeWords.has(kind)) {
      scope.complain(at, found.missing, found.fix);
      return undefined;
    }
    const message = `${found.missing}: the word itself is used as the text`;
    scope.complain(at, message, found.fix, { severity: 'warning' });
    return { name: kindName[kind], text };
  }
  const whole = found.file === '' ? found.text : extended(all, scope, kind, found, at, [found.file]);
  return { name: found.file === '' ? found.name : roleWord(name), text: whole.trim() };
}

function isPath(text: string): boolean {
  return pathLike.test(text) && (text.includes('/') || /\.(?:md|markdown|txt)$/i.test(text));
}

/** `../personas/coder.md` → `coder` */
function roleWord(ref: string): string {
  return (ref.split('/').at(-1) ?? '').replace(/\.(?:md|markdown|txt)$/i, '');
}

/** A line `{extends:name}` stands for the text of that name; of its own name, for the one in the next layer. */
function extended(
  all: Compilation,
  scope: Scope,
  kind: FacetKind,
  found: Text,
  at: Ref['at'],
  chain: readonly string[],
): string {
  return found.text.replaceAll(extendsLine, (line, parent: string) => {
    const from = bareName.test(parent) ? all.library.named(kind, parent, new Set(chain)) : undefined;
    if (from && !('missing' in from) && chain.length <= deepestExtension)
      return extended(all, scope, kind, from, at, [...chain, from.file]).trim();
    const why = from && 'missing' in from ? from.missing : `${line.trim()} leads nowhere`;
    scope.complain(at, `${found.file}: ${why}`, 'Name a text that exists, and no circle of them.');
    return '';
  });
}

/** `{var:name}` of a call; what nobody set is said to be so. */
function withVars(text: string, vars: Scope['vars']): string {
  return text.replaceAll(/\{var:([\w.-]{1,100})\}/g, (_, name: string) =>
    String(own(vars, name) ?? 'unspecified'),
  );
}
