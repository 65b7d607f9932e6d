import { byteOrderMark, dash, hash, lineEnd, skipBlank, space } from '../../../schema/yaml/lines.ts';

/** Where the list of tasks is in a file, as far as its lines at the left edge tell. */
export type List =
  /** Nothing but comments: a list may be put at the end. */
  | { kind: 'blank' }
  /** `tasks:` or `tasks: []`. The word that says "nothing" is at `from`…`to`; items go to `at`. */
  | { kind: 'empty'; key: number; from: number; to: number; at: number }
  /** `tasks:` and lines below it, from `at`, which is line number `line`. */
  | { kind: 'block'; key: number; at: number; line: number }
  /** Keys, but not this one. */
  | { kind: 'missing' }
  /** Anything else: only a YAML parser can tell. */
  | { kind: 'unsure' };

const key = 'tasks:';
const nothing = ['[]', 'null', 'Null', 'NULL', '~'];

export function findList(text: string): List {
  let at = text.startsWith(byteOrderMark) ? 1 : 0;
  let keys = 0;
  for (let line = 1; at < text.length; line++) {
    const end = lineEnd(text, at);
    const kind = edgeOf(text, at, end);
    if (kind === 'key') {
      if (text.startsWith(key, at)) return listAt(text, at, end, line);
      keys++;
    } else if (kind === 'odd' || (kind === 'marker' && keys > 0) || (kind === 'inside' && keys === 0)) {
      return { kind: 'unsure' };
    }
    at = end;
  }
  return { kind: keys > 0 ? 'missing' : 'blank' };
}

function listAt(text: string, at: number, end: number, line: number): List {
  const value = skipBlank(text, at + key.length, end);
  if (value === end || text.charCodeAt(value) === hash) {
    const below = firstContent(text, end);
    const nothingBelow = below === text.length || edgeOf(text, below, lineEnd(text, below)) === 'key';
    if (!nothingBelow) return { kind: 'block', key: at, at: end, line: line + 1 };
    return { kind: 'empty', key: at, from: at + key.length, to: at + key.length, at: end };
  }
  const to = wordEnd(text, value, end);
  if (to === undefined) return { kind: 'unsure' };
  return { kind: 'empty', key: at, from: at + key.length, to, at: end };
}

/** The end of a word for "nothing" that has its line to itself, but for a comment. */
function wordEnd(text: string, value: number, end: number): number | undefined {
  const word = nothing.find((candidate) => text.startsWith(candidate, value));
  if (word === undefined) return undefined;
  const next = skipBlank(text, value + word.length, end);
  if (next === end) return value + word.length;
  return text.charCodeAt(next) === hash && next > value + word.length ? value + word.length : undefined;
}

/** The start of the first line that is neither blank nor a comment. */
function firstContent(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const end = lineEnd(text, at);
    const first = skipBlank(text, at, end);
    if (first !== end && text.charCodeAt(first) !== hash) return at;
    at = end;
  }
  return at;
}

/** Does anything but blank lines and comments follow? */
export function hasContent(text: string, from: number): boolean {
  return firstContent(text, from) < text.length;
}

/**
 * What the line at `at`…`end` is to a mapping at the left edge: nothing (blank, comment), one of its keys, a line
 * inside a value, a marker between documents, or odd.
 */
export function edgeOf(
  text: string,
  at: number,
  end: number,
): 'nothing' | 'key' | 'inside' | 'marker' | 'odd' {
  const first = skipBlank(text, at, end);
  if (first === end || text.charCodeAt(first) === hash) return 'nothing';
  if (text.charCodeAt(at) === space) return 'inside';
  if (first !== at) return 'odd';
  if (text.startsWith('---', at)) {
    const rest = skipBlank(text, at + 3, end);
    return rest === end || (rest > at + 3 && text.charCodeAt(rest) === hash) ? 'marker' : 'odd';
  }
  if (text.charCodeAt(at) === dash) return 'inside';
  return isKey(text, at, end) ? 'key' : 'odd';
}

/** A plain key such as `version: 1`. Quoted and other keys are left to the YAML parser. */
function isKey(text: string, at: number, end: number): boolean {
  let i = at;
  while (i < end && isKeyCharacter(text.charCodeAt(i))) i++;
  return i > at && text[i] === ':' && (i + 1 === end || skipBlank(text, i + 1, i + 2) === i + 2);
}

/** Letters, digits, "_", "-", "." and everything beyond ASCII. */
function isKeyCharacter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === dash ||
    code === 46 ||
    (code > 160 && code !== 0xfe_ff)
  );
}
