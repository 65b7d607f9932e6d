import type { YAMLMap } from 'yaml';
import type { Json } from '../../task/json.ts';
import { pair } from './block.ts';
import { readDocument } from './document.ts';
import { edited, inserted, replaced, without, type Edit } from './edit.ts';
import { flowEdit } from './flow.ts';
import { slotsOf } from './splice.ts';
import { yaml } from './yaml.ts';

/**
 * Sets one value deep in a document (undefined takes it out, with the mappings that it leaves empty) and leaves every
 * other byte. Undefined: it is written in a way that hides where.
 */
export function setIn(text: string, at: readonly string[], value: Json | undefined): string | undefined {
  const read = readDocument(text);
  if (!('doc' in read) || read.bad) return undefined;
  const { isMap } = yaml();
  const { contents } = read.doc;
  if (contents === null) return value === undefined ? text : below(text, at, value);
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
function below(text: string, [first = '', ...rest]: readonly string[], value: Json): string {
  const start = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return `${start}${pair(first, nested(rest, value), 0).join('\n')}\n`;
}
