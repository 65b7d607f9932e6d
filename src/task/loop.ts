import type { End } from './trail-schema.ts';

/**
 * same: a step ended again and again, and nothing was another for it.
 * swing: the work tree goes back and forth between the same contents.
 * finding: the same is found again and again, whatever was changed for it.
 * restart: docket died at work on it again and again, each time at the cost of a call, and no step ended in between.
 */
export interface Loop {
  kind: 'same' | 'swing' | 'finding' | 'restart';
  /** The ends that show it, oldest first. */
  ends: readonly End[];
}

/** So many times are a loop, unless the settings say otherwise. */
export const usualTimes = 3;
/** A machine may be restarted often for reasons of its own. */
const deaths = 10;
/** The longest circle of contents that is looked for. */
const longestSwing = 8;

/** Whether a run turns in circles. A function of how its steps ended: after a crash it is the same. 0 times: never. */
export function loopIn(trail: readonly End[] = [], times = usualTimes): Loop | undefined {
  if (times < 2) return undefined;
  return restarting(trail) ?? repeating(trail, times) ?? swinging(trail) ?? refinding(trail, times);
}

function restarting(trail: readonly End[]): Loop | undefined {
  const last = trail.slice(-deaths);
  const isLoop = last.length === deaths && last.every(({ node }) => node === undefined);
  return isLoop ? { kind: 'restart', ends: last } : undefined;
}

/** Node by node: of steps that run at once it does not matter which ends first. */
function repeating(trail: readonly End[], times: number): Loop | undefined {
  for (const ends of byNode(trail)) {
    const last = ends.slice(-times);
    const [first] = last;
    if (!first || last.length < times || !last.every((end) => isSame(end, first))) continue;
    // One that was to change files and did not is stuck, whatever others say. Who only speaks may wait for others.
    if (first.said === undefined ? first.tree !== undefined : !anyNews(trail, first, last.at(-1)))
      return { kind: 'same', ends: last };
  }
  return undefined;
}

function isSame(end: End, other: End): boolean {
  return !end.changed && end.tree === other.tree && end.said === other.said && end.rule === other.rule;
}

/** Between two ends somebody changed something, or said what they had not said before. */
function anyNews(trail: readonly End[], from: End, to: End | undefined): boolean {
  const [start, end] = [trail.indexOf(from), to === undefined ? trail.length : trail.indexOf(to)];
  return trail.some((one, at) => {
    if (at <= start || at >= end || one.node === from.node) return false;
    if (one.changed) return true;
    return (
      one.said !== undefined && !trail.slice(0, at).some((old) => old.node === one.node && isSame(old, one))
    );
  });
}

/** There and back, and there again: contents that a step made, that another replaced, and that were made once more. */
function swinging(trail: readonly End[]): Loop | undefined {
  const made = trail.filter(({ changed, tree }) => changed && tree !== undefined);
  const tree = (back: number) => made.at(-1 - back)?.tree;
  if (made.length >= 3 && tree(0) === tree(2) && tree(0) !== tree(1))
    return { kind: 'swing', ends: made.slice(-3) };
  // A longer way round may have been one step back; the same way twice was not.
  for (let length = 3; length <= longestSwing; length += 1) {
    if (made.length < 2 * length) break;
    const round = Array.from({ length }, (_, at) => at);
    const isTwice = round.every((at) => tree(at) === tree(at + length));
    if (isTwice && new Set(round.map(tree)).size > 1) return { kind: 'swing', ends: made.slice(-2 * length) };
  }
  return undefined;
}

function refinding(trail: readonly End[], times: number): Loop | undefined {
  for (const ends of byNode(trail)) {
    const last = ends.at(-1);
    if (!last?.finding) continue;
    const found = ends.filter(
      ({ finding, said, rule }) => finding && said === last.said && rule === last.rule,
    );
    if (found.length >= times) return { kind: 'finding', ends: found.slice(-times) };
  }
  return undefined;
}

function byNode(trail: readonly End[]): End[][] {
  const nodes = new Map<string, End[]>();
  for (const end of trail) {
    if (end.node === undefined) continue;
    const ends = nodes.get(end.node);
    if (ends) ends.push(end);
    else nodes.set(end.node, [end]);
  }
  return [...nodes.values()];
}
