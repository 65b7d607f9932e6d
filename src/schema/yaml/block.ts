import type { CST, Pair, YAMLMap } from 'yaml';
import type { Fields, Json } from '../../task/json.ts';
import type { Edit } from './edit.ts';
import { yaml } from './yaml.ts';

/**
 * Words, paths and names that every YAML reader takes for text. A date or a number in quotes stays text everywhere.
 * Words of letters with single spaces between: the pattern cannot backtrack.
 */
const tame = /^(?:[\p{L}_]|\.(?=\p{L}))[\p{L}\p{M}\p{N}_./-]*(?: [\p{L}\p{M}\p{N}_./-]+)*$/u;
/** What some version of YAML takes for a truth value, nothing, or a number. */
const reserved = /^(?:true|false|yes|no|on|off|y|n|null|\.inf|\.nan)$/i;
/** Characters that JSON leaves as they are and YAML does not, or that editors break lines at. */
const unsafe = /[\u007F-\u00A0\u2028\u2029\uFEFF\uFFFE\uFFFF]/g;

/** A value without an inside, on one line: plain when that is safe, else in double quotes with JSON's escapes. */
export function scalar(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return String(value);
  return tame.test(value) && !reserved.test(value) ? value : quotedJson(value);
}

/** In double quotes, with the escapes that JSON and YAML share. */
function quotedJson(value: string): string {
  return JSON.stringify(value).replace(
    unsafe,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Whether a value needs lines of its own. */
export function isNested(value: Json): value is Json[] | { [key: string]: Json } {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** A value as it stands behind `key: `. */
export function inline(value: Exclude<Json, object> | Json): string {
  if (Array.isArray(value)) return '[]';
  return typeof value === 'object' && value !== null ? '{}' : scalar(value);
}

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

/** YAML takes a key for a key only if its colon comes within 1,024 characters; a longer one is marked by "? ". */
const maxKey = 1000;

/** An item of the list, as lines. */
export function item(fields: Fields, indent: number): string[] {
  const pad = ' '.repeat(indent);
  return dashed(isNested(fields) ? block(fields, indent + 2) : [`${pad}  {}`], indent);
}

/** `key: value`, or `key:` and the lines of its value below. */
export function pair(key: string, value: Json, indent: number): string[] {
  const pad = ' '.repeat(indent);
  const word = scalar(key);
  const lead = word.length > maxKey ? [`${pad}? ${word}`, `${pad}:`] : [`${pad}${word}:`];
  if (isNested(value)) return [...lead, ...block(value, indent + 2)];
  lead.push(`${lead.pop()} ${inline(value)}`);
  return lead;
}

function block(value: Json[] | Fields, indent: number): string[] {
  if (!Array.isArray(value)) return Object.entries(value).flatMap(([key, part]) => pair(key, part, indent));
  const pad = ' '.repeat(indent + 2);
  return value.flatMap((part) =>
    dashed(isNested(part) ? block(part, indent + 2) : [pad + inline(part)], indent),
  );
}

/** Puts the dash of a list item into the indentation of its first line. */
function dashed([first = '', ...rest]: readonly string[], indent: number): string[] {
  return [`${' '.repeat(indent)}- ${first.slice(indent + 2)}`, ...rest];
}
