import type * as v from 'valibot';
import type { Document, YAMLMap } from 'yaml';
import { command, fix } from '../errors/command.ts';
import type { Fields } from '../task/json.ts';
import { type Mistake, type Path, check } from './check.ts';
import { lineAndColumn, parseJson } from './json.ts';
import type { Schema } from './schemas.ts';
import { position } from './yaml/lines.ts';
import { Odd, jsonOf, keyText, readDocument, startOf, yaml } from './yaml/yaml.ts';

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

/** What is wrong in a file, where, and what to do about it. */
export interface FileProblem {
  message: string;
  fix: string;
  line: number;
  column: number;
  /** A key is not known, or cannot be one. */
  atKey?: true;
}

type Problems = readonly [FileProblem, ...FileProblem[]];

/** `raw`: what is written, before defaults. */
export type Read<T> = { value: T; raw: object } | { problems: Problems; raw?: object; partial?: unknown };

/** What a YAML file says by its schema, or all that is wrong with it, in the order of its lines. Never throws. */
export function readYaml<S extends Schema>(text: string, schema: S, firstLine = 1): Read<v.InferOutput<S>> {
  const found = read(text);
  const placeAt = (offset: number) => position(text, Math.min(offset, text.length), firstLine);
  if ('problem' in found) {
    const at = placeAt(found.offset);
    return {
      problems: [
        {
          message: found.problem,
          fix: fix`Fix line ${at.line}; ${command`validate`} checks the file.`.text,
          ...at,
        },
      ],
    };
  }
  const checked = check(schema, found.raw);
  if ('value' in checked) return { value: checked.value, raw: found.raw };
  const place = ({ path, atKey }: Mistake) => placeAt(atKey ? found.keyOffsetOf(path) : found.offsetOf(path));
  return { problems: inOrder(checked.mistakes, place), raw: found.raw, partial: checked.partial };
}

/** Mistakes as they stand in the file. */
function inOrder(
  mistakes: readonly Mistake[],
  placeOf: (mistake: Mistake) => { line: number; column: number },
): Problems {
  const placed = mistakes.map((mistake) => {
    const { path: _, problem: __, ...told } = mistake;
    return { ...told, ...placeOf(mistake) };
  });
  return placed.toSorted((a, b) => a.line - b.line || a.column - b.column) as unknown as Problems;
}

/** Where the value of a key stands; where the key is missing, what it is missing from. */
export function placeIn(text: string, path: Path): { line: number; column: number } {
  const found = read(text);
  return position(text, 'problem' in found ? 0 : found.offsetOf(path));
}

/** The tokens of JSON that is known to parse. */
const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gsy;

/** Where in the text of valid JSON the value of a path stands, or, where it has none, what it should stand in. */
export function placeInJson(
  text: string,
  path: readonly (string | number)[],
): { line: number; column: number } {
  const tokens = tokensOf(text);
  let at = 0;
  for (const part of path) {
    const inside = childAt(tokens, at, part);
    if (inside === undefined) break;
    at = inside;
  }
  return lineAndColumn(text, tokens[at]?.start ?? 0);
}

interface Token {
  text: string;
  start: number;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; at += 1) {
    token.lastIndex = at;
    const found = token.exec(text)?.[0];
    if (found === undefined) continue;
    tokens.push({ text: found, start: at });
    at += found.length - 1;
  }
  return tokens;
}

/** The index of the value behind a key, or of a list's item. */
function childAt(tokens: readonly Token[], at: number, part: string | number): number | undefined {
  const isList = tokens[at]?.text === '[';
  if (!isList && tokens[at]?.text !== '{') return undefined;
  for (let next = at + 1, index = 0; next < tokens.length; index += 1) {
    const here = tokens[next]?.text ?? '';
    if (here === ']' || here === '}') return undefined;
    const value = isList ? next : next + 2;
    if (isList ? index === part : JSON.parse(here) === part) return value;
    next = endOf(tokens, value);
    if (tokens[next]?.text === ',') next += 1;
  }
  return undefined;
}

function endOf(tokens: readonly Token[], at: number): number {
  let depth = 0;
  for (let next = at; next < tokens.length; next += 1) {
    const { text = '' } = tokens[next] ?? {};
    if (text === '{' || text === '[') depth += 1;
    if (text === '}' || text === ']') depth -= 1;
    if (depth === 0) return next + 1;
  }
  return tokens.length;
}

/** What a JSON file says by its schema, or all that is wrong with it. Never throws. */
export function readJson<S extends Schema>(text: string, schema: S): Read<v.InferOutput<S>> {
  const plain = text.replace(/^\uFEFF/, '');
  const parsed = parseJson(plain);
  if (!('value' in parsed)) {
    const at = lineAndColumn(plain, parsed.at);
    return {
      problems: [
        {
          message: parsed.message,
          fix: fix`Fix line ${at.line}; ${command`validate`} checks the file.`.text,
          ...at,
        },
      ],
    };
  }
  const checked = check(schema, parsed.value);
  if ('value' in checked) return { value: checked.value, raw: parsed.value as object };
  const problems = inOrder(checked.mistakes, ({ path }) => placeInJson(plain, path));
  return { problems, partial: checked.partial };
}
