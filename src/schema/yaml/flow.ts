import type { CST, Pair, YAMLMap } from 'yaml';
import type { Json } from '../../task/json.ts';
import type { Edit } from './edit.ts';
import { quotedJson, scalar } from './scalar.ts';
import { yaml } from './yaml.ts';

/** A value on one line in JSON, which every reader of YAML takes too. */
export function flowText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(flowText).join(', ')}]`;
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? quotedJson(value) : String(value);
  const pairs = Object.entries(value).map(([key, part]) => `${quotedJson(key)}: ${flowText(part)}`);
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
}

/** What sets a key of a mapping in braces, or takes it out; undefined: it is written in a way that hides where. */
export function flowEdit(map: YAMLMap, key: string, value: Json | undefined): Edit | undefined {
  const token = map.srcToken;
  if (token?.type !== 'flow-collection' || token.start.source !== '{') return undefined;
  const spots = map.items.map((pair) => spotOf(pair));
  const index = map.items.findIndex((pair) => keyOf(pair) === key);
  const spot = spots[index];
  if (spots.includes(undefined)) return undefined;
  if (value === undefined) return spot && without(spots as Spot[], index);
  const quoted = map.items.some(({ srcToken }) => srcToken?.key?.type === 'double-quoted-scalar');
  const text = typeof value === 'object' || quoted ? flowText(value) : scalar(value);
  if (spot) return { from: spot.colon, to: spot.end, text: ` ${text}` };
  const at = spots.at(-1)?.end ?? token.start.offset + 1;
  const word = quoted ? quotedJson(key) : scalar(key);
  return {
    from: at,
    to: at,
    text: `${spots.length > 0 ? ', ' : ' '}${word}: ${text}${spots.length > 0 ? '' : ' '}`,
  };
}

interface Spot {
  start: number;
  /** Behind the colon. */
  colon: number;
  end: number;
}

function spotOf(pair: Pair): Spot | undefined {
  const { isNode } = yaml();
  const source = pair.srcToken;
  const colon = source?.sep?.find((token) => token.type === 'map-value-ind');
  const start = isNode(pair.key) ? pair.key.range?.[0] : undefined;
  if (!colon || start === undefined || source?.start.some(isSpecial)) return undefined;
  const behind = colon.offset + 1;
  const end = isNode(pair.value) ? (pair.value.range?.[1] ?? behind) : behind;
  return { start, colon: behind, end: Math.max(behind, end) };
}

function isSpecial(token: CST.SourceToken): boolean {
  return token.type === 'explicit-key-ind' || token.type === 'anchor' || token.type === 'tag';
}

/** With the comma that separated it. */
function without(spots: readonly Spot[], index: number): Edit {
  const { start, end } = spots[index] as Spot;
  const before = spots[index - 1];
  const behind = spots[index + 1];
  if (before) return { from: before.end, to: end, text: '' };
  return { from: start, to: behind ? behind.start : end, text: '' };
}

function keyOf(pair: Pair): unknown {
  return yaml().isScalar(pair.key) ? String(pair.key.value) : undefined;
}
