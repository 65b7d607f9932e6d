import type { Document, Pair } from 'yaml';
import type { Json } from '../../task/json.ts';
import { yaml } from './yaml.ts';

const maxDepth = 100;

/** A value that YAML allows and JSON does not, or that is there to eat the memory. */
export class Odd extends Error {
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/**
 * A YAML node as a JSON value; throws `Odd`. The library's own `toJS` would let `__proto__`, maps as keys and NaN
 * through. `maxNodes` counts what aliases stand for, so that aliases of aliases end early. `outside` knows anchors that
 * are not in this document.
 */
export function jsonOf(
  doc: Document,
  root: unknown,
  maxNodes: number,
  outside?: (name: string) => Json | undefined,
): Json {
  const { isAlias, isMap, isScalar, isSeq } = yaml();
  let nodes = 0;
  let firstAlias: number | undefined;
  let targets: ReadonlyMap<unknown, unknown> | undefined;
  return value(root, 0);

  function value(node: unknown, depth: number): Json {
    if (node === null || node === undefined) return null;
    const offset = startOf(node);
    if (++nodes > maxNodes || depth > maxDepth)
      throw firstAlias === undefined
        ? new Odd('The entry is too large or too deep.', offset)
        : new Odd('Aliases stand for too many values. Write them out.', firstAlias);
    if (isAlias(node)) {
      firstAlias ??= offset;
      const target = (targets ??= targetsIn(doc)).get(node);
      const known = target ? undefined : outside?.(node.source);
      if (known !== undefined) return known;
      if (!target) throw new Odd(`Unresolved alias: ${node.source}. Write the value out.`, offset);
      return value(target, depth + 1);
    }
    if (isScalar(node)) return scalar(node.value, offset);
    if (isSeq(node)) return node.items.map((item) => value(item, depth + 1));
    if (!isMap(node)) throw new Odd('Unexpected kind of value.', offset);
    const object: Record<string, Json> = {};
    for (const pair of node.items) {
      const key = keyText(pair, doc);
      if (key === undefined) throw new Odd('A key must be a word.', offset);
      if (key === '__proto__') throw new Odd('Unrecognized key: "__proto__"', offset);
      if (Object.hasOwn(object, key)) throw new Odd(`Map keys must be unique: "${key}"`, offset);
      object[key] = value(pair.value, depth + 1);
    }
    return object;
  }
}

/** What each alias stands for. The library's `resolve` would look through the whole document for every one. */
function targetsIn(doc: Document): Map<unknown, unknown> {
  const { isAlias, visit } = yaml();
  const anchored = new Map<string, unknown>();
  const targets = new Map<unknown, unknown>();
  visit(doc, {
    Node: (_, node) => {
      if (isAlias(node)) targets.set(node, anchored.get(node.source));
      else if (node.anchor !== undefined) anchored.set(node.anchor, node);
    },
  });
  return targets;
}

function scalar(value: unknown, offset: number): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value === 0 ? 0 : value;
  throw new Odd('This value is no text, number, true, false or null.', offset);
}

/** Where a node begins in the text. */
export function startOf(node: unknown): number {
  return (yaml().isNode(node) && node.range?.[0]) || 0;
}

export function keyText(pair: Pair, doc: Document): string | undefined {
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
