import type { Run, Step } from '../task/run.ts';
import type { Graph, Monitor, Node, Rule } from './graph.ts';

/** What follows in a run whose steps are all over. Data, like every effect. */
export type Next =
  /** A round: one step, or parts that run at once and the step that brings them together. */
  | { kind: 'order'; steps: Step[] }
  | { kind: 'end'; as: 'done' }
  | { kind: 'end'; as: 'failed'; step: string; reason: string }
  /** The workflow may take no more steps. */
  | { kind: 'exceeded'; max: number; taken: number }
  /** No rule of this step says where to go on. */
  | { kind: 'lost'; step: Step; node: Node };

/** A function of where the run stands: after a crash the same thing follows. */
export function nextIn(graph: Graph, run: Run, limits: { maxSteps?: number | undefined }): Next {
  const last = run.steps.at(-1);
  if (!last) return ordered(graph, run, graph.start, limits);
  const state = run.states[last.id];
  if (state?.state !== 'done') {
    const reason = state?.reason ?? 'it did not end';
    return { kind: 'end', as: 'failed', step: last.title, reason };
  }
  const decided = last.kind === 'human' ? trail(run).at(-1) : last;
  const chose = decided && run.states[decided.id]?.chose;
  const node = decided && nodeOf(graph, decided);
  const rule = chose && node?.rules[chose.rule];
  if (!node || !rule) return node ? { kind: 'lost', step: decided, node } : unknown(last);
  if (rule.asks && last.kind !== 'human')
    return { kind: 'order', steps: [asking(last, rule, graph, state.report?.['summary'])] };
  const target = rule.next;
  if ('end' in target) {
    if (target.end === 'done') return { kind: 'end', as: 'done' };
    return { kind: 'end', as: 'failed', step: decided.title, reason: `it chose to give up: ${chose.text}` };
  }
  return ordered(graph, run, watched(graph, run, target.step), limits);
}

/** The round that begins with a node, whatever came before: where a person wants a run to go on. */
export function ordered(
  graph: Graph,
  run: Pick<Run, 'steps'>,
  id: string,
  { maxSteps = graph.maxSteps }: { maxSteps?: number | undefined },
): Next {
  const taken = stepsTaken(run);
  if (maxSteps !== undefined && taken >= maxSteps) return { kind: 'exceeded', max: maxSteps, taken };
  const node = graph.nodes[id];
  if (!node) throw new Error(`the workflow ${graph.name} has no node ${id}`);
  const parts = (node.parts ?? [])
    .flatMap((part) => graph.nodes[part] ?? [])
    .map((part) => stepFor(run, part, []));
  const needs = parts.map((part) => part.id);
  return { kind: 'order', steps: [...parts, stepFor(run, node, needs)] };
}

/** Rounds, not calls: what runs at once counts once. */
export function stepsTaken(run: Pick<Run, 'steps'>): number {
  return trail(run).length;
}

export function nodeOf(graph: Graph, { node }: Step): Node | undefined {
  return node === undefined ? undefined : graph.nodes[node];
}

/** A person has to answer before what this rule leads to begins. */
function asking(step: Step, rule: Rule, graph: Graph, said: unknown): Step {
  const { id, node, title, role, agent } = step;
  const about = { role, agent, needs: [], ...(node !== undefined && { node }) };
  const came = [title, rule.text, ...(typeof said === 'string' && said.trim() !== '' ? [said.trim()] : [])];
  const asked = `${questionOf(step, rule, graph)} ${came.join(': ')}`;
  return { id: `${id}--ask`, kind: 'human', title: asked.slice(0, 500), ...about };
}

/** What a yes leads to: without that, what came of a step is no question. */
function questionOf({ node, title }: Step, { next }: Rule, { nodes }: Graph): string {
  if ('end' in next) return next.end === 'done' ? 'May it end here, as done?' : 'May it be given up here?';
  if (next.step === node) return `What do you say to this? ${title} begins again with it.`;
  return `May it go on to ${nodes[next.step]?.title ?? next.step}?`;
}

/** The first pass through a node has its name; "--" is in no name. */
function stepFor({ steps }: Pick<Run, 'steps'>, node: Node, needs: string[]): Step {
  const times = steps.filter((step) => step.node === node.id && step.kind !== 'human').length + 1;
  return {
    id: times === 1 ? node.id : `${node.id}--${times}`,
    kind: node.kind,
    node: node.id,
    title: node.title,
    role: node.role,
    agent: node.agent ?? 'default',
    needs,
    ...(node.model !== undefined && { model: node.model }),
    ...(node.sub && { sub: node.sub }),
  };
}

/** The graph is another than the one that this step was ordered from. */
function unknown(step: Step): Next {
  const reason = `its workflow has no step ${step.title} any more`;
  return { kind: 'end', as: 'failed', step: step.title, reason };
}

/** Where a run goes that is about to enter `to`: there, or to the judge of a circle that it has run too often. */
function watched(graph: Graph, run: Pick<Run, 'steps'>, to: string): string {
  const passed = trail(run).flatMap(({ node }) => node ?? []);
  const due = graph.monitors.find((monitor) => to === monitor.cycle[0] && isDue(monitor, passed));
  return due ? due.judge : to;
}

/** So many whole rounds, one right after the other, up to now. A judge's own step begins the count anew. */
function isDue({ cycle, threshold, ignore, judge }: Monitor, passed: readonly string[]): boolean {
  const since = passed.slice(passed.lastIndexOf(judge) + 1).filter((node) => !ignore.includes(node));
  const wanted = cycle.length * threshold;
  if (since.length < wanted) return false;
  const last = since.slice(-wanted);
  return last.every((node, at) => node === cycle[at % cycle.length]);
}

/** The steps that decided where a run went, in their order: parts of a fan, and people who were asked, are not among them. */
export function trail({ steps }: Pick<Run, 'steps'>): Step[] {
  const parts = new Set(steps.flatMap(({ needs }) => needs));
  return steps.filter(({ id, kind }) => kind !== 'human' && !parts.has(id));
}
