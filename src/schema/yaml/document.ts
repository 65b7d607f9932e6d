import type { CST, Document } from 'yaml';
import { yaml } from './yaml.ts';

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
