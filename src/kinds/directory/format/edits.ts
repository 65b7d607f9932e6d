import type { Pair, YAMLMap, YAMLSeq } from 'yaml';
import { same } from '../../../schema/json.ts';
import { item } from '../../../schema/yaml/block.ts';
import {
  type Edit,
  type Slot,
  below,
  columnOf,
  inserted,
  replaced,
  slotsOf,
  without,
} from '../../../schema/yaml/edit.ts';
import { yaml } from '../../../schema/yaml/yaml.ts';
import { isObject, type Fields, type Json } from '../../../task/json.ts';
import { itemKeys } from './task-file.ts';

/**
 * The keys of a file as they have to be so that it says `want` instead of `was`: what says so already keeps its
 * spelling and its place, and keys that are not the format's stay.
 */
export function merged(raw: Fields, was: Fields, want: Readonly<Record<string, Json | undefined>>): Fields {
  const result: Record<string, Json> = { ...raw };
  for (const [key, value] of Object.entries(want)) {
    const [before, said] = [own(was, key), own(raw, key)];
    if (value === undefined) delete result[key];
    else if (!same(before, value)) result[key] = mergedValue(said, before, value, itemKeys[key]);
  }
  return result;
}

function mergedValue(raw: Json | undefined, was: Json | undefined, want: Json, key?: string): Json {
  if (key !== undefined && Array.isArray(raw) && Array.isArray(was) && Array.isArray(want)) {
    return mergedItems(raw, was as Fields[], want as Fields[], key);
  }
  return isObject(raw) && isObject(was) && isObject(want) ? merged(raw, was, want) : want;
}

/** People's order stays; what is new comes last. A valid file has an item in `was` for each in `raw`. */
function mergedItems(
  raw: readonly Json[],
  was: readonly Fields[],
  want: readonly Fields[],
  key: string,
): Json[] {
  const wanted = new Map(want.map((item) => [item[key], item]));
  const kept = was.flatMap((before, at) => {
    const item = wanted.get(before[key]);
    wanted.delete(before[key]);
    const said = raw[at];
    return item ? [isObject(said) ? merged(said, before, item) : item] : [];
  });
  return [...kept, ...wanted.values()];
}

function own(fields: Fields, key: string): Json | undefined {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

/** The edits of a text that make a mapping in it say `goal` instead of `raw`; undefined: it has no lines to edit. */
export function editsTo(text: string, map: YAMLMap, raw: Fields, goal: Fields): Edit[] | undefined {
  const slots = slotsOf(map, text);
  if (!slots) return undefined;
  const edits: Edit[] = [];
  for (const [at, slot] of slots.entries())
    if (!Object.hasOwn(goal, slot.key)) edits.push(without(text, slots, at));
  for (const [key, value] of Object.entries(goal)) {
    const at = slots.findIndex((slot) => slot.key === key);
    const slot = slots[at];
    const said = raw[key];
    if (slot && said !== undefined) {
      if (!same(said, value))
        edits.push(...valueEdits(text, slot, (map.items[at] as Pair).value, said, value));
    } else {
      const edit = inserted(text, slots, key, value, () => 0); // behind what is there, whatever that is
      if (edit) edits.push(edit);
    }
  }
  return edits;
}

function valueEdits(text: string, slot: Slot, node: unknown, raw: Json, goal: Json): Edit[] {
  const { isMap, isSeq } = yaml();
  let edits: Edit[] | undefined;
  if (isMap(node) && isObject(raw) && isObject(goal)) edits = editsTo(text, node, raw, goal);
  if (isSeq(node) && Array.isArray(raw) && Array.isArray(goal))
    edits = itemEdits(text, slot, node, raw, goal);
  return edits ?? [replaced(text, slot, goal)];
}

/** Items that changed, and items that follow. Undefined when it takes more than that. */
function itemEdits(
  text: string,
  slot: Slot,
  list: YAMLSeq,
  raw: readonly Json[],
  goal: readonly Json[],
): Edit[] | undefined {
  const token = list.srcToken;
  if (list.flow || token?.type !== 'block-seq' || goal.length < raw.length) return undefined;
  const edits: Edit[] = [];
  for (const [index, said] of raw.entries()) {
    const [node, value] = [list.items[index], goal[index] as Json];
    if (same(said, value)) continue;
    const inside =
      yaml().isMap(node) && isObject(said) && isObject(value) && editsTo(text, node, said, value);
    if (!inside) return undefined;
    edits.push(...inside);
  }
  const added = goal.slice(raw.length);
  if (!added.every((one): one is { [key: string]: Json } => isObject(one))) return undefined;
  const lines = added.flatMap((fields) => item(fields, columnOf(text, token.offset)));
  return lines.length === 0 ? edits : [...edits, below(text, slot.next, lines)];
}
