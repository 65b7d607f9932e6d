import { isBuiltIn } from '../../task/id.ts';

export type Token =
  | { kind: 'value'; value: string | number | boolean | null; at: number }
  | { kind: 'path'; path: string[]; at: number }
  | { kind: 'sign'; sign: string; at: number };

/** What cannot be read, and at which character. */
export class Unreadable extends Error {
  readonly at: number;
  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

const longest = 2000;
const mostTokens = 300;
const words: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };
const pattern =
  /\s*(?:(==|!=|>=|<=|&&|\|\||[<>(),])|(-?\d+(?:\.\d+)?)(?![\w.])|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|([A-Za-z_][\w-]*(?:\.[A-Za-z_0-9][\w-]*)*))/y;

export function tokensOf(text: string): Token[] {
  if (text.length > longest) throw new Unreadable(`it is longer than ${longest} characters`, longest);
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  pattern.lastIndex = 0;
  while (pattern.lastIndex < end) {
    const from = pattern.lastIndex;
    const [whole = '', sign, number, quoted, path] = pattern.exec(text) ?? [];
    if (whole === '')
      throw new Unreadable(`${JSON.stringify(text.slice(from).trim()[0])} has no meaning here`, from);
    const at = from + whole.length - whole.trimStart().length;
    if (sign !== undefined) tokens.push({ kind: 'sign', sign, at });
    else if (number !== undefined) tokens.push({ kind: 'value', value: Number(number), at });
    else if (quoted !== undefined) tokens.push({ kind: 'value', value: unquoted(quoted), at });
    else tokens.push(wordToken(path ?? '', at));
    if (tokens.length > mostTokens) throw new Unreadable('it has too many parts', at);
  }
  return tokens;
}

/** The text between quotes. */
export function unquoted(quoted: string): string {
  return quoted.slice(1, -1).replaceAll(/\\(.)/g, '$1');
}

function wordToken(word: string, at: number): Token {
  if (Object.hasOwn(words, word)) return { kind: 'value', value: words[word] ?? null, at };
  const path = word.split('.');
  const bad = path.find(isBuiltIn);
  if (bad !== undefined) throw new Unreadable(`"${bad}" cannot be asked for`, at);
  return { kind: 'path', path, at };
}
