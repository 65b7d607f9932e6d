import type { Run, StepState } from '../../src/task/run.ts';
import type { Graph, Node, Rule } from '../../src/workflow/graph.ts';
import { type Next, nextIn } from '../../src/workflow/next.ts';

export function rule(text: string, next: string): Rule {
  const target =
    next === 'COMPLETE'
      ? { end: 'done' as const }
      : next === 'ABORT'
        ? { end: 'failed' as const }
        : { step: next };
  return { condition: { kind: 'label', text }, text, next: target };
}

export function node(id: string, rules: readonly Rule[], more: Partial<Node> = {}): Node {
  return {
    id,
    title: id,
    kind: 'work',
    role: id,
    session: { mode: 'continue', key: id },
    prompt: { knowledge: [], instruction: `do ${id}`, criteria: [], policy: [], passPrevious: true },
    reports: [],
    checks: [],
    rules,
    ...more,
  };
}

export function graph(nodes: readonly Node[], more: Partial<Graph> = {}): Graph {
  return {
    v: 1,
    name: 'w',
    start: nodes[0]?.id ?? '',
    nodes: Object.fromEntries(nodes.map((one) => [one.id, one])),
    monitors: [],
    ...more,
  };
}

const at = '2026-01-01T00:00:00.000Z';

export const emptyRun: Run = {
  n: 1,
  goal: 'g',
  startedAt: at,
  steps: [],
  rounds: [],
  orders: [],
  states: {},
  gates: {},
  workflow: '{}',
};

/** Plays a run: each answer is the number of the rule that the step at its turn chose. */
export function play(
  of: Graph,
  choices: readonly number[],
  limits: { maxSteps?: number } = {},
): { run: Run; next: Next } {
  let run = emptyRun;
  for (const choice of choices) {
    const next = nextIn(of, run, limits);
    if (next.kind !== 'order') return { run, next };
    const last = next.steps.at(-1);
    const states = Object.fromEntries(
      next.steps.map((step): [string, StepState] => [
        step.id,
        { state: 'done', since: at, chose: { rule: step === last ? choice : 0, text: 't', by: 'tag' } },
      ]),
    );
    run = { ...run, steps: [...run.steps, ...next.steps], states: { ...run.states, ...states } };
  }
  return { run, next: nextIn(of, run, limits) };
}
