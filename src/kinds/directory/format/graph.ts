import { quoted } from '../../../schema/problem.ts';

/** What needs what, by id. A need that is no node is met already. */
type Graph = ReadonlyMap<string, { readonly needs: readonly string[] }>;

/** The nodes, each behind what it needs; those that can never come are left out. */
export function inOrder(graph: Graph): string[] {
  const open = new Map<string, number>();
  const next = new Map<string, string[]>();
  for (const [id, { needs }] of graph) {
    const known = [...new Set(needs)].filter((need) => graph.has(need));
    open.set(id, known.length);
    for (const need of known) {
      const waiting = next.get(need);
      if (waiting) waiting.push(id);
      else next.set(need, [id]);
    }
  }
  const order = [...graph.keys()].filter((id) => open.get(id) === 0);
  for (const id of order) {
    for (const waiting of next.get(id) ?? []) {
      const left = (open.get(waiting) ?? 0) - 1;
      open.set(waiting, left);
      if (left === 0) order.push(waiting);
    }
  }
  return order;
}

/** The ways of nodes back to themselves, one for each knot. What is never free needs something that is never free. */
export function cyclesIn(graph: Graph): string[][] {
  const seen = new Set(inOrder(graph));
  const stuck = new Set([...graph.keys()].filter((id) => !seen.has(id)));
  const cycles: string[][] = [];
  for (const id of stuck) {
    const way: string[] = [];
    let at: string | undefined = id;
    for (; at !== undefined && !seen.has(at); at = graph.get(at)?.needs.find((need) => stuck.has(need))) {
      seen.add(at);
      way.push(at);
    }
    if (at !== undefined && way.includes(at)) cycles.push([...way.slice(way.indexOf(at)), at]);
  }
  return cycles;
}

export function cycleText(cycle: readonly string[]): string {
  if (cycle.length === 2) return `${quoted(cycle[0] ?? '')} waits for itself`;
  const way = cycle.slice(0, 10).map((id) => quoted(id));
  return `these wait for each other: ${way.join(' → ')}${cycle.length > way.length ? ' → …' : ''}`;
}
