import { nearest } from '../../errors/nearest.ts';
import { quoted } from '../../schema/problem.ts';
import { own } from './fields.ts';
import type { Library } from './library.ts';
import type { NodeIds } from './node-id.ts';
import type { Complaint, Problem } from './problem.ts';
import type { WorkflowText } from './read.ts';
import type { Provider, Ref } from './ref.ts';
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
  complain(complaint: Complaint): void;
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
export function checkName(
  scope: Scope,
  name: string,
  path: Complaint['path'],
  ends: readonly string[] = [],
): void {
  const names = stepNames(scope);
  if (name === '' || names.includes(name)) return;
  const guess = nearest(name, [...names, ...ends]);
  const fix = guess === undefined ? `Steps: ${names.join(', ')}.` : `Did you mean "${guess}"?`;
  scope.complain({ path, message: `there is no step ${quoted(name)}`, fix });
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
    const guess = nearest(ref.text, Object.keys(params));
    const fix = guess === undefined ? 'Declare it in "subworkflow: params:".' : `Did you mean "${guess}"?`;
    scope.complain({ path: ref.at, message: `there is no parameter ${quoted(ref.text)}`, fix });
  }
  return (param?.default ?? []).flatMap((one) => (one.param ? [] : [{ ref: one, scope }]));
}
