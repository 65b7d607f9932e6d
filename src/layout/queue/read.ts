import type { YAMLMap } from 'yaml';
import type { Fields } from '../layout.ts';
import { readDocument } from '../yaml/document.ts';
import { jsonOf, keyText, Odd, startOf } from '../yaml/values.ts';
import { yaml } from '../yaml/yaml.ts';

/** An entry as YAML reads it: its keys with their values, and where each value is in the entry's text. */
export interface Reading {
  fields: Fields;
  map: YAMLMap;
  /** Offset of a key's value, or of the whole entry for any other word. */
  offsetOf(key: string): number;
}

export interface Unreadable {
  problem: string;
  offset: number;
}

/** Enough for any real record, and small enough that aliases of aliases cannot eat the memory. */
const maxNodes = 20_000;

/** Reads one entry. Pure YAML: what the keys mean is not looked at. Never throws. */
export function read(text: string): Reading | Unreadable {
  try {
    return reading(text);
  } catch (error) {
    if (error instanceof Odd) return { problem: error.message, offset: error.offset };
    return { problem: error instanceof Error ? error.message : String(error), offset: 0 };
  }
}

/** The name of an entry that is written in an unusual way. */
export function nameIn(text: string): string | undefined {
  const found = read(text);
  const name = 'fields' in found ? found.fields['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

function reading(text: string): Reading | Unreadable {
  const { isMap, isSeq } = yaml();
  const found = readDocument(text);
  const bad = 'doc' in found ? found.bad : found;
  if (bad || !('doc' in found)) return { problem: bad?.message ?? '', offset: bad?.offset ?? 0 };
  const { doc } = found;
  const list = doc.contents;
  const map = isSeq(list) && list.items.length === 1 ? list.items[0] : undefined;
  if (!isMap(map)) return { problem: 'Expected an item with keys ("- name: …").', offset: startOf(list) };
  const fields = jsonOf(doc, map, maxNodes) as Fields;
  return {
    fields,
    map,
    offsetOf: (key) => startOf(map.items.find((pair) => keyText(pair, doc) === key)?.key ?? map),
  };
}
