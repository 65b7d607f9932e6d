import type { CST, Node, Pair, YAMLMap } from 'yaml';
import type { Json } from '../../task/json.ts';
import { flowEdit, inline, isNested, pair } from './block.ts';
import { eolOf, lineEnd, trimBack } from './lines.ts';
import { readDocument, yaml } from './yaml.ts';

/** A piece of a text and what to put in its place. */
export interface Edit {
  from: number;
  to: number;
  text: string;
}

/** The text with edits made that do not overlap. Edits at one place follow each other as they were given. */
export function edited(text: string, edits: readonly Edit[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { from, to, text: piece } of edits.toSorted((a, b) => a.from - b.from)) {
    pieces.push(text.slice(at, from), piece);
    at = to;
  }
  return pieces.join('') + text.slice(at);
}

export function replaced(text: string, slot: Slot, value: Json): Edit {
  const comment = slot.comment === undefined ? '' : ` ${slot.comment}`;
  if (!isNested(value)) return { from: slot.colon, to: slot.end, text: ` ${inline(value)}${comment}` };
  const lines = pair(slot.key, value, columnOf(text, slot.start)).slice(1);
  // A comment behind the old value stays behind the key, in front of the lines of the new one.
  const tail = text.slice(slot.end, slot.next).trimEnd();
  const eol = eolOf(text);
  const ended = text.slice(0, slot.next).endsWith('\n') ? eol : '';
  return { from: slot.colon, to: slot.next, text: `${comment}${tail}${eol}${lines.join(eol)}${ended}` };
}

/** New keys stand behind the last one that comes before them by rank. */
export function inserted(
  text: string,
  slots: readonly Slot[],
  key: string,
  value: Json,
  rankOf: (key: string) => number,
): Edit | undefined {
  const rank = rankOf(key);
  const before = slots.findLast((slot) => rankOf(slot.key) <= rank) ?? slots[0];
  return before && below(text, before.next, pair(key, value, columnOf(text, before.start)));
}

/** Lines of their own at the place where a line begins, or behind the last line. */
export function below(text: string, at: number, lines: readonly string[]): Edit {
  const eol = eolOf(text);
  const block = lines.join(eol);
  return { from: at, to: at, text: text.slice(0, at).endsWith('\n') ? `${block}${eol}` : `${eol}${block}` };
}

export function without(text: string, slots: readonly Slot[], index: number): Edit {
  const slot = slots[index] as Slot;
  const following = slots[index + 1];
  const lineStart = text.lastIndexOf('\n', slot.start - 1) + 1;
  if (text.slice(lineStart, slot.start).trim() === '') return { from: lineStart, to: slot.next, text: '' };
  // The key on the dash's own line: the next one moves up, unless a comment stands between them.
  if (!following) return { from: slot.start, to: slot.end, text: '{}' };
  const between = text.slice(slot.next, following.start);
  if (between.trim() === '') return { from: slot.start, to: following.start, text: '' };
  return { from: text.slice(0, slot.start).trimEnd().length, to: slot.next, text: eolOf(text) };
}

/** The column of an offset; the keys of an entry stand in one. */
export function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

type CollectionItem = CST.CollectionItem;
type SourceToken = CST.SourceToken;

/** Where a key and its value are in an entry's text. */
export interface Slot {
  key: string;
  start: number;
  /** Behind the colon. */
  colon: number;
  /** Behind the last character of the value, comments and line end not counted. */
  end: number;
  /** Where the next line begins that does not belong to the value. */
  next: number;
  /** A comment between the colon and a value that begins further down, or in a text block's first line. */
  comment: string | undefined;
}

/** The keys of an entry, or undefined when it is not plain lines of `key: value` (a mapping in braces, say). */
export function slotsOf(map: YAMLMap, text: string): Slot[] | undefined {
  if (map.flow || map.srcToken?.type !== 'block-map') return undefined;
  const slots: Slot[] = [];
  for (const pair of map.items) {
    const slot = slotOf(pair as Pair<Node, Node | null>, text);
    if (!slot) return undefined;
    slots.push(slot);
  }
  return slots;
}

function slotOf(pair: Pair<Node, Node | null>, text: string): Slot | undefined {
  const { isScalar } = yaml();
  const source = pair.srcToken;
  const colon = source?.sep?.find((token) => token.type === 'map-value-ind');
  const start = pair.key.range?.[0];
  if (!source || !colon || start === undefined || !isScalar(pair.key) || source.start.some(isExplicit)) {
    return undefined;
  }
  const behind = colon.offset + 1;
  const raw = Math.max(behind, endOf(pair.value));
  const end = trimBack(text, behind, raw);
  // Blank lines that a text block keeps (`|+`) are part of its value; all others may stay where they are.
  const keeps =
    source.value?.type === 'block-scalar' && raw > end && raw === text.lastIndexOf('\n', raw - 1) + 1;
  const next = Math.max(lineEnd(text, end), keeps ? raw : 0);
  return { key: String(pair.key.value), start, colon: behind, end, next, comment: commentIn(source) };
}

function isExplicit(token: SourceToken): boolean {
  return token.type === 'explicit-key-ind' || token.type === 'anchor' || token.type === 'tag';
}

/** The end of a value without the comments behind it: for a nested one, that of its last part. */
function endOf(node: Node | null | undefined): number {
  const { isCollection, isPair } = yaml();
  if (!node) return 0;
  const end = node.range?.[1] ?? 0;
  if (!isCollection(node) || node.flow) return end;
  const last: unknown = node.items.at(-1);
  if (isPair(last)) return Math.max(endOf(last.key as Node), endOf(last.value as Node | null));
  return endOf(last as Node | undefined);
}

function commentIn(source: CollectionItem): string | undefined {
  const tokens = [...(source.sep ?? [])];
  const below = tokens.findIndex((token) => token.type === 'newline');
  // A comment behind a key without a value stays where it is.
  if (source.value?.type === 'block-scalar') tokens.push(...(source.value.props as SourceToken[]));
  else if (below === -1 || !source.value) return undefined;
  const found = tokens.filter((token) => token.type === 'comment').map((token) => token.source);
  return found.length > 0 ? found.join(' ') : undefined;
}

/**
 * Sets one value deep in a document (undefined takes it out, with the mappings that it leaves empty) and leaves every
 * other byte. Undefined: it is written in a way that hides where.
 */
export function setIn(text: string, at: readonly string[], value: Json | undefined): string | undefined {
  const read = readDocument(text);
  if (!('doc' in read) || read.bad) return undefined;
  const { isMap } = yaml();
  const { contents } = read.doc;
  if (contents === null) return value === undefined ? text : appended(text, at, value);
  if (!isMap(contents)) return undefined;
  const maps: YAMLMap[] = [contents];
  for (const key of at.slice(0, -1)) {
    const inner: unknown = maps.at(-1)?.get(key, true);
    if (!isMap(inner)) break;
    maps.push(inner);
  }
  const edit = value === undefined ? removal(text, maps, at) : setting(text, maps, at, value);
  return edit && edited(text, [edit]);
}

function setting(text: string, maps: readonly YAMLMap[], at: readonly string[], value: Json) {
  const [key = '', ...rest] = at.slice(maps.length - 1);
  return editOf(text, maps.at(-1) as YAMLMap, key, nested(rest, value));
}

/** Out of the outermost mapping that has something else, so that no empty one is left. */
function removal(text: string, maps: readonly YAMLMap[], at: readonly string[]): Edit | undefined {
  let depth = at.length - 1;
  while (depth > 0 && maps[depth]?.items.length === 1) depth -= 1;
  const map = maps[depth];
  return map && editOf(text, map, at[depth] ?? '', undefined);
}

function editOf(text: string, map: YAMLMap, key: string, value: Json | undefined): Edit | undefined {
  if (map.flow) return flowEdit(map, key, value);
  const slots = slotsOf(map, text) ?? [];
  const index = slots.findIndex((slot) => slot.key === key);
  const slot = slots[index];
  if (value === undefined) return slot && without(text, slots, index);
  return slot ? replaced(text, slot, value) : inserted(text, slots, key, value, () => 0);
}

function nested(keys: readonly string[], value: Json): Json {
  return keys.reduceRight<Json>((inner, key) => ({ [key]: inner }), value);
}

/** Into a document that has only comments, or nothing. */
function appended(text: string, [first = '', ...rest]: readonly string[], value: Json): string {
  const start = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return `${start}${pair(first, nested(rest, value), 0).join('\n')}\n`;
}
