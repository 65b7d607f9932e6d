import { quoted } from '../../schema/problem.ts';
import type { Graph, Node } from '../graph.ts';
import { facetKinds } from './library.ts';
import type { Complaint } from './problem.ts';
import { entryOf, idsIn, type Scope } from './scope.ts';

/** What a graph that holds together still has against it. */
export function inspect(scope: Scope, graph: Graph): Complaint[] {
  const reached = closure(graph, [graph.start], (node) =>
    node.rules.flatMap(({ next }) => ('step' in next ? next.step : [])),
  );
  const ending = endingIn(graph);
  return [
    ...(scope.file.steps ?? []).flatMap((step): Complaint[] => {
      const { at, name = '' } = step;
      const id = entryOf(scope, name);
      if (id === undefined) return [];
      const called = scope.calls.get(name);
      const inside = called ? idsIn(called) : [id];
      if (!reached.has(id))
        return [
          {
            path: at,
            severity: 'warning',
            message: `no rule leads to ${quoted(name)}`,
            fix: 'Add one, or take the step out.',
          },
        ];
      if (inside.some((one) => reached.has(one) && !ending.has(one)))
        return [
          {
            path: at,
            severity: 'warning',
            message: `no way from ${quoted(name)} leads to an end`,
            fix: 'Add a rule with `next: COMPLETE` or `next: ABORT`.',
          },
        ];
      return [];
    }),
    ...facetKinds.flatMap((kind) =>
      Object.entries(scope.file[kind] ?? {}).flatMap(([name, { at }]): Complaint[] =>
        scope.used.has(`${kind}.${name}`)
          ? []
          : [
              {
                path: at,
                atKey: true,
                severity: 'warning',
                message: `no step uses ${quoted(`${kind}.${name}`)}`,
                fix: 'Use it, or take it out.',
              },
            ],
      ),
    ),
  ];
}

/** All nodes that can be reached; a judge can be once its whole circle can. */
function closure(
  graph: Graph,
  from: readonly string[],
  after: (node: Node) => readonly string[],
): Set<string> {
  const seen = new Set<string>();
  const open = [...from];
  for (;;) {
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const node = graph.nodes[id];
      if (seen.has(id) || !node) continue;
      seen.add(id);
      open.push(...after(node), ...(node.parts ?? []));
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
