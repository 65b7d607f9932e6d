import type * as Library from 'yaml';

/** Settings are four levels deep. */
const maxDepth = 100;

/**
 * Where a text nests too deeply to be read, if it does. The library composes by recursion, and enough brackets do not make
 * it throw, they end the process; its parser keeps a stack of its own, which can be looked at.
 */
export function tooDeepAt(
  text: string,
  { Lexer, Parser }: Pick<typeof Library, 'Lexer' | 'Parser'>,
): number | undefined {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    Array.from(parser.next(lexeme)); // the tokens are not wanted, only how deep they are
    if (parser.stack.length > maxDepth + 1) return parser.offset;
  }
  return undefined;
}
