import { lineAndColumn } from './json.ts';

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
