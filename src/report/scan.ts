/**
 * Finds where a JSON value ends, in one pass that stops at the first character which cannot be JSON. That is what keeps
 * a search through prose cheap: an opening brace that begins nothing is given up after a few characters, and no start
 * is followed deeper than `deepest`, so the whole search stays linear whatever the text.
 */
const deepest = 24;
const literal = /(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;

/** Behind the object that begins at `start`, or -1. */
export function objectEnd(text: string, start: number): number {
  return text[start] === '{' ? valueEnd(text, start, 0) : -1;
}

/** Behind the string that begins at `start`, or -1. */
export function stringEnd(text: string, start: number): number {
  if (text[start] !== '"') return -1;
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 34) return i + 1;
    if (code === 92) i++;
    else if (code < 32) return -1;
  }
  return -1;
}

function valueEnd(text: string, start: number, depth: number): number {
  switch (text[start]) {
    case '{':
      return bracketEnd(text, start, depth, '}', pairEnd);
    case '[':
      return bracketEnd(text, start, depth, ']', valueEnd);
    case '"':
      return stringEnd(text, start);
    default:
      literal.lastIndex = start;
      return literal.test(text) ? literal.lastIndex : -1;
  }
}

type End = (text: string, start: number, depth: number) => number;

function bracketEnd(text: string, start: number, depth: number, close: string, entryEnd: End): number {
  if (depth >= deepest) return -1;
  let at = skip(text, start + 1);
  if (text[at] === close) return at + 1;
  for (;;) {
    const end = entryEnd(text, at, depth + 1);
    if (end === -1) return -1;
    at = skip(text, end);
    if (text[at] === close) return at + 1;
    if (text[at] !== ',') return -1;
    at = skip(text, at + 1);
  }
}

function pairEnd(text: string, start: number, depth: number): number {
  const key = stringEnd(text, start);
  if (key === -1) return -1;
  const colon = skip(text, key);
  return text[colon] === ':' ? valueEnd(text, skip(text, colon + 1), depth) : -1;
}

function skip(text: string, start: number): number {
  let at = start;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return at;
    at++;
  }
}
