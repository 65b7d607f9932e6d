import type { Json } from '../task/json.ts';

/**
 * JSON from outside. The text is walked once before it is parsed: the walk says where it is wrong, which `JSON.parse`
 * does not always do, and gives up on what would only cost memory. Its depth has a bound, so it may call itself.
 */
const deepest = 32;
const mostValues = 1_000_000;

export interface Flaw {
  at: number;
  message: string;
}

interface Walk {
  text: string;
  values: number;
  flaw?: Flaw;
  /** A key that stands twice in one object is a flaw: `JSON.parse` would drop the first without a word. */
  once?: boolean;
}

export function parseJson(text: string, { once = false } = {}): { value: unknown } | Flaw {
  const walk: Walk = { text, values: 0, once };
  const end = valueEnd(walk, skip(text, 0), 0);
  if (end !== -1 && skip(text, end) < text.length)
    stop(walk, skip(text, end), 'there is more text behind it');
  return walk.flaw ?? { value: JSON.parse(text) as unknown };
}

/** What is wrong with the value that begins at `start`, whatever follows it. */
export function flawAt(text: string, start: number): Flaw | undefined {
  const walk: Walk = { text, values: 0 };
  valueEnd(walk, start, 0);
  return walk.flaw;
}

/** Both from 1, as editors count. */
export function lineAndColumn(text: string, at: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let next = text.indexOf('\n'); next !== -1 && next < at; next = text.indexOf('\n', start)) {
    line++;
    start = next + 1;
  }
  return { line, column: at - start + 1 };
}

const literal = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;
const longestLiteral = 1000;

function valueEnd(walk: Walk, at: number, depth: number): number {
  if (++walk.values > mostValues) return stop(walk, at, `it holds more than ${mostValues} values`);
  if (depth > deepest) return stop(walk, at, `it is nested more than ${deepest} levels deep`);
  switch (walk.text[at]) {
    case '{':
      return listEnd(walk, at, depth, '}', pairEnd);
    case '[':
      return listEnd(walk, at, depth, ']', valueEnd);
    case '"':
      return stringEnd(walk, at);
    default: {
      // A piece is enough, and keeps the expression from running along megabytes of digits.
      literal.lastIndex = 0;
      if (!literal.test(walk.text.slice(at, at + longestLiteral))) return stop(walk, at, 'expected a value');
      return at + literal.lastIndex;
    }
  }
}

type End = (walk: Walk, at: number, depth: number) => number;

function listEnd(walk: Walk, start: number, depth: number, close: string, entryEnd: End): number {
  const { text } = walk;
  let at = skip(text, start + 1);
  if (text[at] === close) return at + 1;
  const keys = walk.once && close === '}' ? new Set<string>() : undefined;
  for (;;) {
    const key = keys && keyAt(text, at);
    if (keys && key !== undefined) {
      if (keys.has(key)) return stop(walk, at, `the key ${key.slice(0, 60)} stands here twice`);
      keys.add(key);
    }
    const end = entryEnd(walk, at, depth + 1);
    if (end === -1) return -1;
    at = skip(text, end);
    if (text[at] === close) return at + 1;
    if (text[at] !== ',') return stop(walk, at, `expected "," or "${close}"`);
    at = skip(text, at + 1);
  }
}

function pairEnd(walk: Walk, start: number, depth: number): number {
  if (walk.text[start] !== '"') return stop(walk, start, 'expected a key in double quotes');
  const key = stringEnd(walk, start);
  if (key === -1) return -1;
  const colon = skip(walk.text, key);
  if (walk.text[colon] !== ':') return stop(walk, colon, 'expected ":"');
  return valueEnd(walk, skip(walk.text, colon + 1), depth);
}

/** The key with its quotes. Spelled with an escape it is another text, which a model does not write. */
function keyAt(text: string, start: number): string | undefined {
  if (text[start] !== '"') return undefined;
  const end = text.indexOf('"', start + 1);
  return end === -1 ? undefined : text.slice(start, end + 1);
}

const hex = /[0-9a-fA-F]{4}/y;

function stringEnd(walk: Walk, start: number): number {
  const { text } = walk;
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code < 32) return stop(walk, at, 'a line break or control character inside a text');
    if (code !== backslash) continue;
    const length = escapeLength(text, at);
    if (length === 0) return stop(walk, at, 'a backslash that begins no escape');
    at += length - 1;
  }
  return stop(walk, text.length, 'the text is not closed');
}

const quote = 34;
const backslash = 92;

function escapeLength(text: string, at: number): number {
  const next = text[at + 1] ?? '';
  if (next !== 'u') return next !== '' && '"\\/bfnrt'.includes(next) ? 2 : 0;
  hex.lastIndex = at + 2;
  return hex.test(text) ? 6 : 0;
}

function stop(walk: Walk, at: number, message: string): -1 {
  walk.flaw ??= { at, message: at >= walk.text.length ? 'it ends too early' : message };
  return -1;
}

function skip(text: string, start: number): number {
  let at = start;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return at;
    at++;
  }
}

/** JSON in which every character is ASCII, as tools write it that trust no other. */
export function asciiJson(json: string): string {
  return json.replaceAll(
    /[\u007f-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Equal as JSON: the order of keys means nothing. */
export function same(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((value, index) => same(value, b[index]));
  }
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
}
