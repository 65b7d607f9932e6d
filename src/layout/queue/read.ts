import type { Document, Pair, YAMLMap } from 'yaml';
import type { Fields, Json } from '../layout.ts';
import { readDocument } from './document.ts';
import { yaml } from './yaml.ts';

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
const maxDepth = 100;

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
  const fields = new Reader(doc).value(map, 0) as Fields;
  return {
    fields,
    map,
    offsetOf: (key) => startOf(map.items.find((pair) => keyText(pair, doc) === key)?.key ?? map),
  };
}

function startOf(node: unknown): number {
  return (yaml().isNode(node) && node.range?.[0]) || 0;
}

class Odd extends Error {
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** YAML nodes to JSON values. The library's own `toJS` would let `__proto__`, maps as keys and NaN through. */
class Reader {
  readonly #doc: Document;
  #nodes = 0;

  constructor(doc: Document) {
    this.#doc = doc;
  }

  value(node: unknown, depth: number): Json {
    const { isAlias, isMap, isScalar, isSeq } = yaml();
    if (node === null || node === undefined) return null;
    const offset = startOf(node);
    if (++this.#nodes > maxNodes || depth > maxDepth)
      throw new Odd('The entry is too large or too deep.', offset);
    if (isAlias(node)) {
      const target = node.resolve(this.#doc);
      if (!target) throw new Odd(`Unresolved alias: ${node.source}. Write the value out.`, offset);
      return this.value(target, depth + 1);
    }
    if (isScalar(node)) return scalar(node.value, offset);
    if (isSeq(node)) return node.items.map((item) => this.value(item, depth + 1));
    if (!isMap(node)) throw new Odd('Unexpected kind of value.', offset);
    const object: Record<string, Json> = {};
    for (const pair of node.items) {
      const key = keyText(pair, this.#doc);
      if (key === undefined) throw new Odd('A key must be a word.', offset);
      if (key === '__proto__') throw new Odd('Unrecognized key: "__proto__"', offset);
      if (Object.hasOwn(object, key)) throw new Odd(`Map keys must be unique: "${key}"`, offset);
      object[key] = this.value(pair.value, depth + 1);
    }
    return object;
  }
}

function scalar(value: unknown, offset: number): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value === 0 ? 0 : value;
  throw new Odd('This value is no text, number, true, false or null.', offset);
}

function keyText(pair: Pair, doc: Document): string | undefined {
  const { isAlias, isScalar } = yaml();
  const key = isAlias(pair.key) ? pair.key.resolve(doc) : pair.key;
  if (key === null || key === undefined) return '';
  if (!isScalar(key)) return undefined;
  const { value } = key;
  if (value === null) return '';
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}
