import type { Run } from '../task/run.ts';
import type { Graph, Monitor } from './graph.ts';
import { trail } from './trail.ts';

/** Where a run goes that is about to enter `to`: there, or to the judge of a circle that it has run too often. */
export function watched(graph: Graph, run: Pick<Run, 'steps'>, to: string): string {
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
