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
 * not make it throw: it ends the process (V8 cannot compile a regular expression on a full stack). The tokens come
 * without recursion, so their depth is looked at first.
 */
export function readDocument(text: string): { doc: Document; bad: Complaint | undefined } | Complaint {
  const { Composer, Parser } = yaml();
  const tokens = [...new Parser().parse(text)];
  const deep = tooDeep(tokens);
  if (deep) return { message: 'Too many levels of nesting.', offset: deep.offset };
  const composer = new Composer({ keepSourceTokens: true, prettyErrors: false });
  const [doc, second] = composer.compose(tokens, true, text.length);
  if (!doc) return { message: 'No document.', offset: 0 };
  const [error] = doc.errors;
  if (error) return { doc: doc, bad: { message: error.message, offset: error.pos[0] } };
  const bad = second && { message: 'There is more than one document ("---").', offset: second.range[0] };
  return { doc: doc, bad };
}

function tooDeep(tokens: readonly CST.Token[]): CST.Token | undefined {
  const open = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = open.pop(); next; next = open.pop()) {
    const { token, depth } = next;
    if (depth > maxDepth) return token;
    if (token.type === 'document' && token.value) open.push({ token: token.value, depth });
    if (!('items' in token)) continue;
    for (const { key, value } of token.items) {
      if (key) open.push({ token: key, depth: depth + 1 });
      if (value) open.push({ token: value, depth: depth + 1 });
    }
  }
  return undefined;
}
