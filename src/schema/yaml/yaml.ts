import { createRequire } from 'node:module';
import type * as Library from 'yaml';
import type { CST, Document, Pair } from 'yaml';
import type { Json } from '../../task/json.ts';

type Yaml = typeof Library;

let loaded: Yaml | undefined;

/**
 * The yaml library, on first use. It takes some 77 ms to load, and listing, adding and claiming need none of it.
 * The layout is synchronous, so `import()` will not do; `createRequire` loads the library's CommonJS build, which is
 * also what an `import` of it gets in Node. Nothing else here may use `node:module`.
 */
export function yaml(): Yaml {
  return (loaded ??= createRequire(import.meta.url)('yaml') as Yaml);
}

export interface Complaint {
  message: string;
  offset: number;
}

/** Records are two or three levels deep. */
const maxDepth = 100;

/**
 * Reads text as one YAML document. The library composes nodes by recursion, and a text that nests deeply enough does
 * not make it throw: it ends the process (V8 cannot compile a regular expression on a full stack). So its parser, which
 * keeps a stack of its own, is stopped as soon as that is too high; a megabyte of brackets costs nothing then.
 */
export function readDocument(text: string): { doc: Document; bad: Complaint | undefined } | Complaint {
  const { Composer } = yaml();
  const tokens = tokensOf(text);
  if (!Array.isArray(tokens)) return tokens;
  const composer = new Composer({ keepSourceTokens: true, prettyErrors: false });
  const [doc, second] = composer.compose(tokens, true, text.length);
  if (!doc) return { message: 'No document.', offset: 0 };
  const [error] = doc.errors;
  if (error) return { doc: doc, bad: { message: error.message, offset: error.pos[0] } };
  const bad = second && { message: 'There is more than one document ("---").', offset: second.range[0] };
  return { doc: doc, bad };
}

function tokensOf(text: string): CST.Token[] | Complaint {
  const { Lexer, Parser } = yaml();
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > maxDepth + 1)
      return { message: 'Too many levels of nesting.', offset: parser.offset };
  }
  tokens.push(...parser.end());
  return tokens;
}

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
