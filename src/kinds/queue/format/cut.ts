import {
  carriageReturn,
  dash,
  hash,
  isBlank,
  lineEnd,
  newline,
  skipBlank,
  space,
  tab,
  trimBack,
} from '../../../schema/yaml/lines.ts';
import { edgeOf, hasContent } from './list.ts';

/** One item of the list: where it begins and ends, and its name. */
export interface Item {
  start: number;
  end: number;
  line: number;
  /** Undefined: it has none. `hard`: only a YAML parser can read it. */
  name: string | undefined | typeof hard;
}

export interface Cut {
  items: Item[];
  /** What follows the list begins here. */
  tail: number;
}

interface Open extends Item {
  /** Where its keys begin; -1 until its first key is seen. */
  column: number;
  named: boolean;
}

/**
 * Cuts the lines from `from` into the items of a block sequence. In YAML every line of an item is indented deeper
 * than the item's dash, whatever it holds (text blocks, quoted text over many lines, other lists); only blank lines and
 * comments may be anywhere. So indentation alone finds the items, without looking into them.
 *
 * A comment directly above a dash belongs to the item below it; a deeper one to the item above; what follows the last
 * item, to the tail. A line that fits nowhere stays with the item above, whose parse then reports it. Undefined when
 * that is not safe, because a part of the list could go unseen.
 */
export function cutItems(text: string, from: number, firstLine: number): Cut | undefined {
  const items: Item[] = [];
  let open: Open | undefined;
  let indent = -1;
  let contentEnd = from;
  let above = -1;
  let aboveLine = 0;
  let line = firstLine;
  let at = from;
  for (; at < text.length; line++) {
    const end = lineEnd(text, at);
    let first = at;
    while (text.charCodeAt(first) === space) first++;
    const code = first < end ? text.charCodeAt(first) : newline;
    const column = first - at;
    const beyond = indent === -1 || column <= indent;
    if (isBlank(code) && skipBlank(text, first, end) === end) {
      // Spaces and tabs that reach into the item may be the last line of a text block.
      if (open && (!beyond || code === tab)) contentEnd = end;
      above = -1;
    } else if (code === hash && beyond) {
      if (above === -1) [above, aboveLine] = [at, line];
    } else if (code === dash && beyond && isBlankAt(text, first + 1)) {
      if (indent !== -1 && column !== indent) return undefined;
      indent = column;
      const start = above === -1 ? at : above;
      if (open) items.push(closed(open, start));
      open = opened(text, start, above === -1 ? line : aboveLine, at, first, end);
      contentEnd = end;
      above = -1;
    } else {
      if (column === 0 && open && (edgeOf(text, at, end) === 'key' || isLastMarker(text, at, end))) break;
      if (!open || (beyond && isRisky(text, first, end))) return undefined;
      lookForName(text, open, first, column);
      contentEnd = end;
      above = -1;
    }
    at = end;
  }
  if (!open) return undefined;
  const tail = keepsBlankLines(text, open.start, contentEnd) ? skipLines(text, contentEnd) : contentEnd;
  items.push(closed(open, tail));
  return { items, tail };
}

/** The end of the document (`...`), with nothing behind it but remarks. */
function isLastMarker(text: string, at: number, end: number): boolean {
  return text.slice(at, end).trim() === '...' && !hasContent(text, end);
}

/** A line that fits nowhere and may be more than a slip of this item: an item, a key, the end of the document. */
function isRisky(text: string, first: number, end: number): boolean {
  const code = text.charCodeAt(first);
  return (
    code === tab || code === dash || text.startsWith('...', first) || text.slice(first, end).includes(':')
  );
}

function opened(text: string, start: number, line: number, at: number, dashAt: number, end: number): Open {
  const open: Open = { start, end: start, line, name: undefined, column: -1, named: false };
  const first = skipBlank(text, dashAt + 1, end);
  if (first !== end && text.charCodeAt(first) !== hash) lookForName(text, open, first, first - at);
  return open;
}

function closed({ start, line, name }: Open, end: number): Item {
  return { start, end, line, name };
}

/** Keys of an entry stand in one column; text that looks like a key stands deeper. */
function lookForName(text: string, open: Open, first: number, column: number): void {
  if (open.column === -1) {
    if (text.charCodeAt(first) === hash) return;
    open.column = column;
    // A flow mapping, an anchor, a tag, an explicit key or a list inside: no keys to be found by looking at lines.
    if ('{[&*!?-'.includes(text.charAt(first))) {
      open.named = true;
      open.name = hard;
    }
  }
  if (open.named || column !== open.column) return;
  const quote = text.charAt(first);
  const quoted = quote === '"' || quote === "'";
  const word = quoted ? `${quote}name${quote}` : 'name';
  if (!text.startsWith(word, first)) return;
  let colon = first + word.length;
  while (text.charCodeAt(colon) === space) colon++;
  if (text[colon] !== ':' || !isBlankAt(text, colon + 1)) return;
  open.named = true;
  open.name = readName(text, colon + 1, column);
}

function isBlankAt(text: string, at: number): boolean {
  return at >= text.length || isBlank(text.charCodeAt(at));
}

/** Blank lines behind a text block that says so (`|+`) are part of it. A wrong yes costs nothing. */
function keepsBlankLines(text: string, start: number, end: number): boolean {
  return /[|>][1-9]?\+/.test(text.slice(start, end));
}

function skipLines(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const end = lineEnd(text, at);
    if (skipBlank(text, at, end) !== end) break;
    at = end;
  }
  return at;
}

/** A name that only a YAML parser can read: it is folded, tagged, an alias, or escaped in YAML's own way. */
export const hard = Symbol('hard');

/**
 * The value of a `name:` line, without a YAML parser: a queue of 100,000 entries is cut into entries, and each is
 * found by name, without parsing any. `at` is behind the colon; `column` is where the keys of this entry begin.
 */
function readName(text: string, at: number, column: number): string | undefined | typeof hard {
  const end = lineEnd(text, at);
  const start = skipBlank(text, at, end);
  if (start > at && text.charCodeAt(start) === hash) return goesOn(text, end, column) ? hard : undefined;
  if (start === end) return goesOn(text, end, column) ? hard : undefined;
  const first = text[start];
  if (first === '"') return doubleQuoted(text, start, end);
  if (first === "'") return singleQuoted(text, start, end);
  if ('&*!|>@%`[]{},?:-'.includes(first ?? '')) return hard;
  return goesOn(text, end, column) ? hard : plain(text, start, end);
}

/** Is the next line deeper than the keys, so that it may belong to this value? */
function goesOn(text: string, next: number, column: number): boolean {
  for (let at = next; at < text.length;) {
    const end = lineEnd(text, at);
    const first = skipBlank(text, at, end);
    if (first !== end) return first - at > column && text.charCodeAt(first) !== hash;
    at = end;
  }
  return false;
}

function plain(text: string, start: number, end: number): string | undefined | typeof hard {
  let stop = end;
  for (let i = start + 1; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === hash && isBlank(text.charCodeAt(i - 1))) {
      stop = i;
      break;
    }
    if (code === carriageReturn && i + 2 < end) return hard;
  }
  const value = text.slice(start, trimBack(text, start, stop));
  return value === 'null' || value === 'Null' || value === 'NULL' || value === '~' ? undefined : value;
}

function singleQuoted(text: string, start: number, end: number): string | typeof hard {
  for (let i = start + 1; i < end; i++) {
    if (text[i] !== "'") continue;
    if (text[i + 1] === "'") i++;
    else return alone(text, i + 1, end) ? text.slice(start + 1, i).replaceAll("''", "'") : hard;
  }
  return hard;
}

function doubleQuoted(text: string, start: number, end: number): string | typeof hard {
  for (let i = start + 1; i < end; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === '"') return alone(text, i + 1, end) ? unescaped(text.slice(start, i + 1)) : hard;
  }
  return hard;
}

/** JSON's escapes mean the same in YAML; the others, and raw control characters, are for the parser. */
function unescaped(quoted: string): string | typeof hard {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return hard;
  }
}

/** Nothing but a comment follows on the line. */
function alone(text: string, at: number, end: number): boolean {
  const next = skipBlank(text, at, end);
  return next === end || (text.charCodeAt(next) === hash && text.charCodeAt(next - 1) === space);
}
