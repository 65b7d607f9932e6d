import { nearest } from '../../errors/nearest.ts';
import type { Expression } from '../graph.ts';
import { tokensOf, Unreadable, type Token } from './expression-tokens.ts';

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
