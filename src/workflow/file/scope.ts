import { quoted } from '../../schema/problem.ts';
import { isBuiltIn } from '../../task/id.ts';
import { deepestCall } from '../graph.ts';
import { type Complain, meant, own, type Place, type Problem } from './fields.ts';
import { readWorkflow, type WorkflowText } from './file.ts';
import type { Library, Source } from './library.ts';
import type { Provider, Ref } from './refused.ts';
import type { StepFile } from './step.ts';

/** What all workflows of one graph share. */
export interface Compilation {
  library: Library;
  ids: NodeIds;
  problems: Problem[];
  /** Steps that were read so far: calls of calls multiply them. */
  steps: number;
}

/** One workflow's place in the graph: the first one, or one that is called, with what its caller gave it. */
export interface Scope extends WorkflowText {
  /** In front of its steps' names. */
  prefix: string;
  ids: ReadonlyMap<string, string>;
  calls: ReadonlyMap<string, Scope>;
  /** What the caller gave, each with the scope in which it is meant. */
  given: ReadonlyMap<string, { refs: readonly Ref[]; scope: Scope }>;
  vars: Readonly<Record<string, string | number | boolean>>;
  provider?: Provider;
  model?: string;
  /** Section entries that were used, as `kind.name`. */
  used: Set<string>;
  complain: Complain;
}

export function isCall({ kind, call }: StepFile): boolean {
  return kind === 'workflow_call' || call !== undefined;
}

/** The steps and their parts: their names are told apart from each other. */
export function stepsOf({ file }: Pick<Scope, 'file'>): StepFile[] {
  return (file.steps ?? []).flatMap((step) => [step, ...(step.parallel ?? [])]);
}

/** What rules can lead to: not the parts of a step. */
function stepNames({ file }: Pick<Scope, 'file'>): string[] {
  return (file.steps ?? []).flatMap(({ name }) => name ?? []);
}

/** Where one comes in who goes to this step: a called workflow is entered at its start. */
export function entryOf(scope: Scope, step: string): string | undefined {
  const called = scope.calls.get(step);
  if (called) return startOf(called);
  return stepNames(scope).includes(step) ? scope.ids.get(step) : undefined;
}

/** Says that a name is none of a step's, unless it is one whose own problem was told there. */
export function checkName(scope: Scope, name: string, path: Place, ends: readonly string[] = []): void {
  const names = stepNames(scope);
  if (name === '' || names.includes(name)) return;
  const fix = meant(name, [...names, ...ends], `Steps: ${names.join(', ')}.`);
  scope.complain(path, `there is no step ${quoted(name)}`, fix);
}

export function startOf(scope: Scope): string | undefined {
  const { initial_step: initial, steps = [] } = scope.file;
  const name = initial?.text ?? steps[0]?.name;
  return name === undefined ? undefined : entryOf(scope, name);
}

/** Every node of a called workflow, with those that it calls. */
export function idsIn(scope: Scope): string[] {
  return [...scope.ids.values(), ...[...scope.calls.values()].flatMap(idsIn)];
}

/** What a reference stands for: itself, or what a parameter was given. */
export function refsOf(scope: Scope, ref: Ref): { ref: Ref; scope: Scope }[] {
  if (!ref.param) return [{ ref, scope }];
  const given = scope.given.get(ref.text);
  if (given) return given.refs.flatMap((one) => refsOf(given.scope, one));
  const params = scope.file.subworkflow?.params ?? {};
  const param = own(params, ref.text);
  if (!param) {
    const fix = meant(ref.text, Object.keys(params), 'Declare it in "subworkflow: params:".');
    scope.complain(ref.at, `there is no parameter ${quoted(ref.text)}`, fix);
  }
  return (param?.default ?? []).flatMap((one) => (one.param ? [] : [{ ref: one, scope }]));
}

/** So many steps are more than anybody can follow; calls of calls multiply. */
const mostSteps = 400;

type Inherited = Pick<Scope, 'prefix' | 'given' | 'vars' | 'provider' | 'model'>;

/** Reads a workflow and all that it calls, and gives every step an id: rules point forward. */
export function openScope(
  all: Compilation,
  source: Source,
  from: Inherited,
  chain: readonly Source[],
): Scope {
  const read = readWorkflow(source);
  all.problems.push(...read.problems);
  const { provider = from.provider, model = from.model } = read.file.workflow_config ?? {};
  const ids = new Map<string, string>();
  const calls = new Map<string, Scope>();
  const scope: Scope = {
    ...read,
    ...from,
    ...(provider && { provider }),
    ...(model !== undefined && { model }),
    ids,
    calls,
    used: new Set(),
    complain: (path, message, fix, more) =>
      void all.problems.push(read.tell({ path, message, fix, ...more })),
  };
  for (const step of stepsOf(scope)) {
    const name = step.name ?? '';
    all.steps++;
    if (name === '') scope.complain(step.at, 'the step has no name', 'Add `name: implement`.');
    else if (name === 'COMPLETE' || name === 'ABORT')
      scope.complain([...step.at, 'name'], `${name} is the name of an end`, 'Choose another.');
    else if (ids.has(name) || calls.has(name))
      scope.complain(
        [...step.at, 'name'],
        `there are two steps ${quoted(name)}`,
        'Give one of them another name.',
      );
    else if (isCall(step)) {
      const called = openCall(all, scope, step, [...chain, source]);
      if (called) calls.set(name, called);
    } else ids.set(name, all.ids.make(scope.prefix + name));
  }
  return scope;
}

function openCall(
  all: Compilation,
  scope: Scope,
  step: StepFile,
  chain: readonly Source[],
): Scope | undefined {
  const { at: path = step.at } = step.call ?? {};
  const refuse = (message: string, fix: string): undefined => {
    scope.complain(path, message, fix);
  };
  if (!step.call) return refuse('it says not which workflow to call', 'Add `call: <name>`.');
  const [target] = refsOf(scope, step.call);
  if (!target) return undefined; // a parameter that only a caller can give
  const found = all.library.workflow(target.ref.text, target.scope.source);
  if ('missing' in found) return refuse(found.missing, found.fix);
  const names = [...chain, found].map(({ name }) => name).join(' → ');
  if (chain.some(({ file }) => file === found.file))
    return refuse(`it calls itself: ${names}`, 'Write the round as rules inside one workflow.');
  if (chain.length > deepestCall)
    return refuse(
      `calls are more than ${deepestCall} deep: ${names}`,
      'Call fewer workflows from each other.',
    );
  if (all.steps > mostSteps)
    return refuse(`with its calls it has more than ${mostSteps} steps`, 'Call fewer.');
  const { provider, model } = scope;
  const inherited = {
    prefix: `${scope.prefix}${step.name ?? ''}/`,
    given: new Map(Object.entries(step.args ?? {}).map(([name, refs]) => [name, { refs, scope }])),
    vars: { ...scope.vars, ...step.vars },
    ...(provider && { provider }),
    ...(model !== undefined && { model }),
  };
  const called = openScope(all, found, inherited, chain);
  checkArguments(scope, step, called);
  return called;
}

function checkArguments(scope: Scope, step: StepFile, called: Scope): void {
  const params = called.file.subworkflow?.params ?? {};
  for (const [name, refs] of Object.entries(step.args ?? {})) {
    if (own(params, name)) continue;
    const known = Object.keys(params);
    const fix = meant(name, known, `Its params: ${known.join(', ') || 'none'}.`);
    scope.complain(refs[0]?.at ?? step.at, `${called.source.name} takes no ${quoted(name)}`, fix, {
      atKey: true,
    });
  }
  for (const [name, param] of Object.entries(params))
    if (param.default === undefined && !called.given.has(name))
      scope.complain(step.at, `${called.source.name} needs ${quoted(name)}`, `Add it to "args".`);
}

const longest = 80;

/**
 * Ids of the nodes of one graph, made from their names: letters, digits, "_" and single "-", so that "--" can number the
 * passes through a node. A name without any of these gets a number.
 */
export class NodeIds {
  readonly #taken = new Set<string>();

  make(name: string): string {
    const slug = slugOf(name) || 'step';
    const base = isBuiltIn(slug) ? `${slug}-step` : slug;
    let id = base;
    for (let number = 2; this.#taken.has(id); number++) id = `${base}-${number}`;
    this.#taken.add(id);
    return id;
  }
}

function slugOf(name: string): string {
  const plain = name
    .slice(0, 4 * longest)
    .normalize('NFKD')
    .toLowerCase();
  const words = plain.replaceAll(/\p{M}/gu, '').replaceAll(/[^a-z0-9_]+/g, '-');
  return words.replace(/^-/, '').slice(0, longest).replace(/-$/, '');
}
