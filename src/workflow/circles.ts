import type { Graph, Node, Rule } from './graph.ts';

/** Whether a run can come to the same node again: only then can it turn in circles. */
export function hasCircle({ nodes }: Pick<Graph, 'nodes'>): boolean {
  const left = new Map(Object.values(nodes).map(({ id, rules }) => [id, new Set(rules.flatMap(targetOf))]));
  // What leads nowhere is in no circle. Without that, what led only there leads nowhere.
  for (let size = -1; size !== left.size;) {
    size = left.size;
    for (const [id, targets] of left) if (![...targets].some((target) => left.has(target))) left.delete(id);
  }
  return left.size > 0;
}

function targetOf({ next }: Rule): string[] {
  return 'step' in next ? [next.step] : [];
}

/** Somebody is told what is wrong: more than the name of the way that it chose, and not that all is well. */
export function isFinding({ rules }: Pick<Node, 'rules'>, rule: number | undefined, text: string): boolean {
  const way = rule === undefined ? '' : (rules[rule]?.text ?? '');
  if (agrees.test(way.trim())) return false;
  const own = text.replaceAll(/\[[^[\]\n]{1,200}\]/g, ' ').replaceAll(way === '' ? '\0' : way, ' ');
  const words = own.match(/[\p{L}\p{N}_]{2,}/gu) ?? [];
  return words.length >= fewest && !(words.length <= short && agrees.test(own.trim()));
}

/** Fewer words name nothing that could be mended. */
const fewest = 3;
const short = 12;
/** What people and models say when there is nothing to mend. */
const agrees =
  /^(?:approved?|accept(?:ed)?|lgtm|ok(?:ay)?|pass(?:ed|es)?|done|complete[d]?|success(?:ful)?|(?:looks|all|is) (?:good|well|fine)|no (?:issues?|findings?|problems?|comments?|changes?)|nothing (?:to|is|was))\b/i;
