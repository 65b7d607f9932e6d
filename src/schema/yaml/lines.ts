/** Character codes: the scanner looks at every line of files that may be tens of megabytes long. */
export const tab = 9;
export const newline = 10;
export const carriageReturn = 13;
export const space = 32;
export const hash = 35;
export const dash = 45;
export const byteOrderMark = '\uFEFF';

/** Where the line that begins at `at` ends: behind its line feed, or at the end of the text. */
export function lineEnd(text: string, at: number): number {
  const found = text.indexOf('\n', at);
  return found === -1 ? text.length : found + 1;
}

/** The first character from `at` that is not one of space, tab and line ends; `end` when there is none. */
export function skipBlank(text: string, at: number, end: number): number {
  let i = at;
  while (i < end && isBlank(text.charCodeAt(i))) i++;
  return i;
}

export function isBlank(code: number): boolean {
  return code === space || code === newline || code === carriageReturn || code === tab;
}

/** Behind the last character before `end` that is not blank; `start` when there is none. */
export function trimBack(text: string, start: number, end: number): number {
  let i = end;
  while (i > start && isBlank(text.charCodeAt(i - 1))) i--;
  return i;
}

/** The line end that a text uses: that of its first line. */
export function eolOf(...texts: readonly string[]): string {
  for (const text of texts) {
    const found = text.indexOf('\n');
    if (found !== -1) return text[found - 1] === '\r' ? '\r\n' : '\n';
  }
  return '\n';
}

/** 1-based line and column of an offset, counting from the given line. */
export function position(text: string, offset: number, firstLine = 1): { line: number; column: number } {
  let line = firstLine;
  let start = 0;
  for (let found = text.indexOf('\n'); found !== -1 && found < offset; found = text.indexOf('\n', start)) {
    line++;
    start = found + 1;
  }
  return { line, column: offset - start + 1 };
}
