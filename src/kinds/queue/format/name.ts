import {
  carriageReturn,
  hash,
  isBlank,
  lineEnd,
  skipBlank,
  space,
  trimBack,
} from '../../../schema/yaml/lines.ts';

/** A name that only a YAML parser can read: it is folded, tagged, an alias, or escaped in YAML's own way. */
export const hard = Symbol('hard');

/**
 * The value of a `name:` line, without a YAML parser: a queue of 100,000 entries is cut into entries, and each is
 * found by name, without parsing any. `at` is behind the colon; `column` is where the keys of this entry begin.
 */
export function readName(text: string, at: number, column: number): string | undefined | typeof hard {
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
