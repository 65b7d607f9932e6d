import type { Loops } from '../engine/run-end.ts';
import { usualTimes } from '../task/loop.ts';
import type { Graph } from '../workflow/graph.ts';
import type { Config } from './config.ts';

/** When a run counts as a loop. Where a workflow has a monitor of its own, that one is asked first. */
export function loopsFor(
  { loopAfter = usualTimes }: Pick<Config, 'loopAfter'>,
  goOn: string,
  monitors: Graph['monitors'] = [],
): Loops {
  // A circle is entered by one end before its first round, and the end behind its last one asks the monitor.
  const times = Math.max(loopAfter, ...monitors.map(({ threshold }) => threshold + 2));
  return { times: loopAfter === 0 ? 0 : times, goOn };
}
