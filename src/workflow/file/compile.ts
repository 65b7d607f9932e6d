import { quoted } from '../../schema/problem.ts';
import type { Check, Graph, Monitor, Node } from '../graph.ts';
import { meant, type Place, type Problem } from './fields.ts';
import { facetKinds, type Library, type Source } from './library.ts';
import { monitorOf } from './monitors.ts';
import { nodeOf, type Surroundings } from './nodes.ts';
import { callEnds, outerEnds } from './rule-list.ts';
import {
  checkName,
  type Compilation,
  entryOf,
  idsIn,
  isCall,
  NodeIds,
  openScope,
  type Scope,
  startOf,
  stepsOf,
} from './scope.ts';
import type { StepFile } from './step.ts';

export interface CompileOptions {
  /** What `commands: project` stands for. */
  acceptance?: readonly Check[];
  /** To look at only: one that others call need not know by whom. */
  alone?: boolean;
}

export interface Compiled {
  /** Absent when something is wrong that keeps it from running. */
  graph?: Graph;
  description?: string;
  /** It was made to be called by others. */
  callable: boolean;
  /** All of them, in the order of files and lines. */
  problems: Problem[];
}

const defaultSteps = 30;
/** It goes into the journal of every run. */
const longestGraph = 2 * 1024 * 1024;

/** A workflow's file, with all that it refers to, as one graph. Never throws for what a file says. */
export function compileWorkflow(source: Source, library: Library, options: CompileOptions = {}): Compiled {
  const { acceptance = [], alone = false } = options;
  const all: Compilation = { library, ids: new NodeIds(), problems: [], steps: 0 };
  const scope = openScope(all, source, { prefix: '', given: new Map(), vars: {} }, []);
  const nodes: Record<string, Node> = {};
  const monitors: Monitor[] = [];
  build({ all, scope, ends: outerEnds(alone), acceptance }, nodes, monitors);
  const { name = source.name, description, max_steps: max, subworkflow } = scope.file;
  if (!alone) checkAlone(scope);
  const start = startOf(scope);
  const graph: Graph = {
    v: 1,
    name,
    start: start ?? '',
    ...(max !== 'infinite' && { maxSteps: max ?? defaultSteps }),
    nodes,
    monitors,
  };
  if (start !== undefined && !all.problems.some(isError)) inspect(scope, graph);
  if (JSON.stringify(graph).length > longestGraph)
    scope.complain([], `with its texts it has more than ${longestGraph} characters`, 'Shorten the texts.');
  const problems = inOrder(all.problems, source.file);
  return {
    ...(start !== undefined && !problems.some(isError) && { graph }),
    ...(description !== undefined && { description }),
    callable: subworkflow?.callable === true,
    problems,
  };
}

function build(around: Surroundings, nodes: Record<string, Node>, monitors: Monitor[]): void {
  const { scope } = around;
  const parts = new Set((scope.file.steps ?? []).flatMap(({ parallel }) => parallel ?? []));
  for (const step of stepsOf(scope)) {
    const id = scope.ids.get(step.name ?? '');
    if (isCall(step)) buildCall(around, step, nodes, monitors);
    else if (id !== undefined && nodes[id] === undefined)
      nodes[id] = nodeOf(around, step, id, parts.has(step));
  }
  for (const step of scope.file.steps ?? []) separate(step, scope, nodes);
  for (const file of scope.file.loop_monitors ?? []) {
    const made = monitorOf(around, file);
    if (!made) continue;
    nodes[made.judge.id] = made.judge;
    monitors.push(made.monitor);
  }
  checkStart(scope);
  checkReturns(scope);
}

/** Parts run at once, and no conversation can go on in two places. */
function separate({ parallel = [] }: StepFile, scope: Scope, nodes: Record<string, Node>): void {
  const keys = new Set<string>();
  for (const { name = '' } of parallel) {
    const node = nodes[scope.ids.get(name) ?? ''];
    if (!node) continue;
    if (keys.has(node.session.key)) node.session = { ...node.session, key: `${node.session.key}/${node.id}` };
    keys.add(node.session.key);
  }
}

function buildCall(
  around: Surroundings,
  step: StepFile,
  nodes: Record<string, Node>,
  monitors: Monitor[],
): void {
  const { scope, ends } = around;
  const called = scope.calls.get(step.name ?? '');
  if (!called) return;
  const returns = (called.file.subworkflow?.returns ?? []).map(({ text }) => text);
  for (const { at, condition, when } of step.rules ?? []) {
    const word = condition?.trim() ?? '';
    if (when === undefined && ['COMPLETE', 'ABORT', ...returns].includes(word)) continue;
    const known = [...returns, 'COMPLETE', 'ABORT'];
    const fix = meant(word, known, `Write one of ${known.join(', ')}.`);
    scope.complain(at, `${called.source.name} never ends with ${quoted(word)}`, fix);
  }
  const inner = callEnds(scope, ends, step);
  const used = new Set(
    stepsOf(called).flatMap(({ rules = [] }) => rules.map((rule) => rule.return ?? rule.next)),
  );
  for (const word of ['COMPLETE', ...returns])
    if ((word !== 'COMPLETE' || used.has(word)) && !inner(word))
      scope.complain(
        step.at,
        `nothing says what follows when ${called.source.name} ends with ${word}`,
        `Add a rule: \`condition: ${word}\` with \`next:\`.`,
      );
  build({ ...around, scope: called, ends: inner }, nodes, monitors);
}

function isError({ severity }: Problem): boolean {
  return severity === 'error';
}

/** The file itself first; each problem once, though a workflow may be called twice. */
function inOrder(problems: readonly Problem[], first: string): Problem[] {
  const once = new Map(
    problems.map((one) => [`${one.file}\0${one.line}\0${one.column}\0${one.message}`, one]),
  );
  const rank = ({ file }: Problem) => (file === first ? 0 : 1);
  return [...once.values()].toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      (a.file < b.file ? -1 : Number(a.file > b.file)) ||
      a.line - b.line ||
      a.column - b.column,
  );
}

/** What only a caller can give or understand. */
function checkAlone(scope: Scope): void {
  const { returns = [], params = {} } = scope.file.subworkflow ?? {};
  const fix = 'Run a workflow that calls it.';
  if (returns.length > 0)
    scope.complain(
      ['subworkflow', 'returns'],
      'it hands words back to a workflow that calls it, and cannot run by itself',
      fix,
    );
  for (const [name, param] of Object.entries(params))
    if (param.default === undefined)
      scope.complain(param.at, `only a caller can give it ${quoted(name)}`, fix);
}

function checkStart(scope: Scope): void {
  const { initial_step: initial } = scope.file;
  if (initial) checkName(scope, initial.text, initial.at);
}

/** Whoever calls it has to know the words that it may hand back. */
function checkReturns(scope: Scope): void {
  const declared = (scope.file.subworkflow?.returns ?? []).map(({ text }) => text);
  for (const { at, return: word } of stepsOf(scope).flatMap(({ rules = [] }) => rules))
    if (word !== undefined && !declared.includes(word))
      scope.complain(
        [...at, 'return'],
        `${quoted(word)} is not declared`,
        'Add it to "subworkflow: returns:", or write "next: COMPLETE".',
      );
}

/** Remarks on what a graph that holds together still has against it. */
function inspect(scope: Scope, graph: Graph): void {
  const remark = (path: Place, message: string, fix: string, atKey?: true): void =>
    scope.complain(path, message, fix, { severity: 'warning', ...(atKey && { atKey }) });
  const reached = reachedIn(graph);
  const ending = endingIn(graph);
  for (const { at, name = '' } of scope.file.steps ?? []) {
    const id = entryOf(scope, name);
    const called = scope.calls.get(name);
    if (id === undefined) continue;
    if (!reached.has(id)) remark(at, `no rule leads to ${quoted(name)}`, 'Add one, or take the step out.');
    else if ((called ? idsIn(called) : [id]).some((one) => reached.has(one) && !ending.has(one)))
      remark(
        at,
        `no way from ${quoted(name)} leads to an end`,
        'Add a rule with `next: COMPLETE` or `next: ABORT`.',
      );
  }
  for (const kind of facetKinds)
    for (const [name, { at }] of Object.entries(scope.file[kind] ?? {}))
      if (!scope.used.has(`${kind}.${name}`))
        remark(at, `no step uses ${quoted(`${kind}.${name}`)}`, 'Use it, or take it out.', true);
}

/** All nodes that can be reached; a judge can be once its whole circle can. */
function reachedIn(graph: Graph): Set<string> {
  const seen = new Set<string>();
  const open = [graph.start];
  for (;;) {
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const node = graph.nodes[id];
      if (seen.has(id) || !node) continue;
      seen.add(id);
      const targets = node.rules.flatMap(({ next }) => ('step' in next ? next.step : []));
      open.push(...targets, ...(node.parts ?? []));
    }
    const due = graph.monitors.filter(
      ({ cycle, judge }) => !seen.has(judge) && cycle.every((id) => seen.has(id)),
    );
    if (due.length === 0) return seen;
    open.push(...due.map(({ judge }) => judge));
  }
}

/** All nodes from which an end can be reached: backwards from those that have one. A judge may end its circle. */
function endingIn(graph: Graph): Set<string> {
  const all = Object.values(graph.nodes);
  const ending = new Set(
    all.filter(({ rules }) => rules.some(({ next }) => 'end' in next)).map(({ id }) => id),
  );
  for (let size = -1; size < ending.size;) {
    size = ending.size;
    for (const { id, rules } of all)
      if (rules.some(({ next }) => 'step' in next && ending.has(next.step))) ending.add(id);
    for (const { cycle, judge } of graph.monitors)
      if (ending.has(judge)) for (const id of cycle) ending.add(id);
  }
  return ending;
}
