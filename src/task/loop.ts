import { createHash } from 'node:crypto';
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

/** What differs from one telling to the next although the same is told. Every length has a bound: the text is a model's. */
const passing: readonly (readonly [RegExp, string])[] = [
  // oxlint-disable-next-line no-control-regex -- colours
  [/\u001B\[[\d;?]{0,32}[A-Za-z]/g, ''],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?/g, 'TIME'],
  [/\b\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?[ap]m)?\b/gi, 'TIME'],
  [/\b\d{1,9}(?:[.,]\d{1,9})? ?(?:ms|s|sec|secs|seconds?|min|minutes?)\b/gi, 'TIME'],
  [/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, 'ID'],
  [/\b(?:0x[0-9a-f]{1,64}|(?=[a-f]{0,63}\d)(?=\d{0,63}[a-f])[0-9a-f]{7,64})\b/gi, 'ID'],
  [/\b(lines?|columns?|pid|L)[ :#]{0,3}\d{1,9}(?: ?[-–,] ?L?\d{1,9})?/gi, '$1 N'],
  [/\b(round|attempt|iteration|cycle)[ :#]{0,3}\d{1,4}(?: ?(?:of|\/) ?\d{1,4})?/gi, '$1 N'],
  [/@@ -\d{1,9}(?:,\d{1,9})? \+\d{1,9}(?:,\d{1,9})? @@/g, '@@'],
  [/[:(]\d{1,9}(?:[:,]\d{1,9})?\)?/g, ':N'],
  [/\s+/g, ' '],
];

const longest = 64 * 1024;

/** The text without numbers of lines, times, ids and white space: what is left when the same is said again. */
export function plainly(text: string): string {
  const kept = text.length <= longest ? text : `${text.slice(0, longest / 2)}${text.slice(-longest / 2)}`;
  return passing.reduce((now, [pattern, word]) => now.replace(pattern, word), kept).trim();
}

/** The same for texts that say the same. */
export function hashOf(...texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(plainly(text)).update('\0');
  return hash.digest('hex').slice(0, 16);
}
