import type { Document, YAMLMap } from 'yaml';
import type { Fields } from '../task/json.ts';
import type { Path } from './check.ts';
import { readDocument } from './yaml/document.ts';
import { jsonOf, keyText, Odd, startOf } from './yaml/values.ts';
import { yaml } from './yaml/yaml.ts';

/** task.yaml as YAML reads it: every key that is there, and where it is in the text. */
export interface Reading {
  raw: Fields;
  map: YAMLMap;
  /** Where the value at a path begins; where a value is missing, what it is missing from. */
  offsetOf(path: Path): number;
  /** Where the key at the end of a path begins. */
  keyOffsetOf(path: Path): number;
}

export interface Unreadable {
  problem: string;
  offset: number;
}

/** Enough for tens of thousands of agents, and small enough that aliases of aliases cannot eat the memory. */
const maxNodes = 200_000;

/** The text that was read last: what is written is checked, and then parsed and patched again at the next change. */
let last: { text: string; result: Reading | Unreadable } | undefined;

/** Pure YAML: what the keys mean is not looked at. Never throws. */
export function read(text: string): Reading | Unreadable {
  if (last?.text !== text) last = { text, result: readAnew(text) };
  return last.result;
}

function readAnew(text: string): Reading | Unreadable {
  try {
    return reading(text);
  } catch (error) {
    const offset = error instanceof Odd ? error.offset : 0;
    return { problem: error instanceof Error ? error.message : String(error), offset };
  }
}

function reading(text: string): Reading | Unreadable {
  const found = readDocument(text);
  if (!('doc' in found)) return { problem: found.message, offset: found.offset };
  const { doc, bad } = found;
  if (bad) return { problem: bad.message, offset: bad.offset };
  const map = doc.contents;
  if (map === null || (yaml().isScalar(map) && map.value === null)) return reading('{}');
  if (!yaml().isMap(map)) return { problem: 'It has no keys ("key: value").', offset: startOf(map) };
  return {
    raw: jsonOf(doc, map, maxNodes) as Fields,
    map,
    offsetOf: (path) => offsetOf(doc, path),
    keyOffsetOf: (path) => keyOffsetOf(doc, path) ?? offsetOf(doc, path),
  };
}

function keyOffsetOf(doc: Document, path: Path): number | undefined {
  const { isMap } = yaml();
  const above = path.slice(0, -1);
  const parent = above.length === 0 ? doc.contents : doc.getIn(above, true);
  const pair = isMap(parent) && parent.items.find((each) => keyText(each, doc) === path.at(-1));
  return pair ? startOf(pair.key) : undefined;
}

function offsetOf(doc: Document, path: Path): number {
  const { isAlias, isMap, isSeq } = yaml();
  let node: unknown = doc.contents;
  let offset = startOf(node);
  for (const part of path) {
    if (isAlias(node)) node = node.resolve(doc);
    if (isSeq(node)) node = node.items[Number(part)];
    else if (isMap(node)) {
      const pair = node.items.find((candidate) => keyText(candidate, doc) === part);
      offset = startOf(pair?.key) || offset;
      node = pair?.value;
    } else break;
    offset = startOf(node) || offset;
  }
  return offset;
}
