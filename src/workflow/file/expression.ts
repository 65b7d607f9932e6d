import { nearest } from '../../errors/nearest.ts';
import { isBuiltIn } from '../../task/id.ts';
import type { Condition, Expression } from '../graph.ts';

type Token =
  | { kind: 'value'; value: string | number | boolean | null; at: number }
  | { kind: 'path'; path: string[]; at: number }
  | { kind: 'sign'; sign: string; at: number };

/** What cannot be read, and at which character. */
class Unreadable extends Error {
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

function tokensOf(text: string): Token[] {
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
function unquoted(quoted: string): string {
  return quoted.slice(1, -1).replaceAll(/\\(.)/g, '$1');
}

function wordToken(word: string, at: number): Token {
  if (Object.hasOwn(words, word)) return { kind: 'value', value: words[word] ?? null, at };
  const path = word.split('.');
  const bad = path.find(isBuiltIn);
  if (bad !== undefined) throw new Unreadable(`"${bad}" cannot be asked for`, at);
  return { kind: 'path', path, at };
}

const comparisons = ['==', '!=', '>', '<', '>=', '<='] as const;
const deepest = 32;

/**
 * `structured.ok == true && (context.iteration > 3 || exists(structured.items, item.level == "high"))`
 *
 *   or = and { "||" and }      and = compared { "&&" compared }      compared = one [ ("=="|"!="|…) one ]
 *   one = value | path | exists "(" or "," or ")" | "(" or ")"
 */
export function parseExpression(text: string): { expression: Expression } | { problem: string } {
  try {
    return { expression: new Parser(tokensOf(text), text.trimEnd().length).all() };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { problem: `${error.message} (character ${error.at + 1})` };
  }
}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #end: number;
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], end: number) {
    this.#tokens = tokens;
    this.#end = end;
  }

  all(): Expression {
    const expression = this.#or(false);
    const rest = this.#tokens[this.#next];
    if (rest) throw new Unreadable('nothing more is expected here', rest.at);
    return expression;
  }

  #or(inList: boolean): Expression {
    let left = this.#and(inList);
    while (this.#take('||')) left = { op: '||', left, right: this.#and(inList) };
    return left;
  }

  #and(inList: boolean): Expression {
    let left = this.#compared(inList);
    while (this.#take('&&')) left = { op: '&&', left, right: this.#compared(inList) };
    return left;
  }

  #compared(inList: boolean): Expression {
    const left = this.#one(inList);
    const op = comparisons.find((sign) => this.#take(sign));
    return op === undefined ? left : { op, left, right: this.#one(inList) };
  }

  #one(inList: boolean): Expression {
    const token = this.#tokens[this.#next++];
    if (token?.kind === 'value') return { op: 'value', value: token.value };
    if (token?.kind === 'path') return this.#named(token, inList);
    if (token?.sign !== '(') throw new Unreadable('a value is missing', token?.at ?? this.#end);
    return this.#nested(token, () => {
      const inner = this.#or(inList);
      this.#expect(')');
      return inner;
    });
  }

  #named(token: Token & { kind: 'path' }, inList: boolean): Expression {
    const [root = ''] = token.path;
    if (root === 'exists' && token.path.length === 1 && this.#take('('))
      return this.#nested(token, () => {
        const list = this.#one(inList);
        this.#expect(',');
        const test = this.#or(true);
        this.#expect(')');
        return { op: 'exists', list, test };
      });
    const roots = ['context', 'structured', ...(inList ? ['item'] : [])];
    if (roots.includes(root)) return { op: 'path', path: token.path };
    if (root === 'effect') throw new Unreadable('not supported: effects of system steps', token.at);
    const guess = nearest(root, [...roots, 'exists']);
    const hint = guess === undefined ? `begin with ${roots.join(' or ')}` : `did you mean "${guess}"?`;
    throw new Unreadable(`"${root}" is not known: ${hint}`, token.at);
  }

  /** The parser calls itself for what is in brackets, and a text may have any number of them. */
  #nested(token: Token, parse: () => Expression): Expression {
    if (++this.#depth > deepest) throw new Unreadable('it is nested too deeply', token.at);
    const expression = parse();
    this.#depth--;
    return expression;
  }

  #take(sign: string): boolean {
    const token = this.#tokens[this.#next];
    if (token?.kind !== 'sign' || token.sign !== sign) return false;
    this.#next++;
    return true;
  }

  #expect(sign: string): void {
    if (!this.#take(sign))
      throw new Unreadable(`"${sign}" is missing`, this.#tokens[this.#next]?.at ?? this.#end);
  }
}

const longestCondition = 4000;
const call = /^(?:(ai|all|any)\(\s*["']|(when)\()/;
const argument = /\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\s*(,?)/y;

type Parsed = { condition: Condition } | { problem: string };

/**
 * `approved`, `ai("is it ready?")`, `all("approved")`, `any("rejected", "unsure")`, `when(context.iteration > 3)`,
 * `true`, and several of them with `&&`. What has none of these forms is a label, whatever stands in it.
 */
export function parseCondition(text: string): Parsed {
  const said = text.trim();
  if (said === '') return { problem: 'it is empty' };
  if (said.length > longestCondition) return { problem: `it is longer than ${longestCondition} characters` };
  const parts = partsOf(said);
  if (parts.length === 1 || !parts.some((part) => call.test(part) || part === 'true')) return one(said);
  const conditions: Condition[] = [];
  for (const part of parts) {
    const parsed = one(part);
    if ('problem' in parsed) return parsed;
    conditions.push(parsed.condition);
  }
  return { condition: { kind: 'and', parts: conditions } };
}

function one(text: string): Parsed {
  if (text === '') return { problem: 'nothing stands beside "&&"' };
  if (text === 'true') return { condition: { kind: 'when', expression: { op: 'value', value: true } } };
  const [, quoting, when] = call.exec(text) ?? [];
  const word = quoting ?? when;
  if (word === undefined) return { condition: { kind: 'label', text } };
  if (!text.endsWith(')')) return { problem: `${word}( is not closed` };
  const inner = text.slice(text.indexOf('(') + 1, -1);
  if (word === 'when') {
    const parsed = parseExpression(inner);
    return 'problem' in parsed ? parsed : { condition: { kind: 'when', expression: parsed.expression } };
  }
  const texts = argumentsIn(inner);
  if (texts === undefined) return { problem: `${word}(…) needs texts in quotes, with commas between them` };
  if (word === 'all' || word === 'any') return { condition: { kind: word, labels: texts } };
  const [question = '', second] = texts;
  if (second !== undefined) return { problem: 'ai(…) takes one question' };
  return { condition: { kind: 'judge', text: question } };
}

function argumentsIn(inner: string): string[] | undefined {
  const texts: string[] = [];
  const end = inner.trimEnd().length;
  argument.lastIndex = 0;
  for (let comma = ','; comma === ',';) {
    const [, quoted = '', next = ''] = argument.exec(inner) ?? [];
    if (quoted === '' || unquoted(quoted).trim() === '') return undefined;
    texts.push(unquoted(quoted));
    comma = next;
    if (next === '' && argument.lastIndex < end) return undefined;
  }
  return texts;
}

/** Cut at each `&&` outside of brackets and of the quotes inside them; a plain label may have an apostrophe. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  let depth = 0;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if (quote !== '') {
      if (char === '\\') at++;
      else if (char === quote) quote = '';
    } else if (depth > 0 && (char === '"' || char === "'")) quote = char;
    else if (char === '(') depth++;
    else if (char === ')') depth = Math.max(0, depth - 1);
    else if (depth === 0 && text.startsWith('&&', at)) {
      parts.push(text.slice(from, at).trim());
      from = ++at + 1;
    }
  }
  return [...parts, text.slice(from).trim()];
}
