import type { Fields, Json, Sheet } from '../layout.ts';
import { dash, eolOf, lineEnd, space } from './lines.ts';
import { inline, isNested, scalar } from './scalar.ts';

/** YAML takes a key for a key only if its colon comes within 1,024 characters; a longer one is marked by "? ". */
const maxKey = 1000;

/** A new entry in the style of its neighbours: their indentation and line ends. */
export function render(fields: Fields, sheet: Sheet): string {
  const indent = indentOf(sheet.entries[0]?.text) ?? 2;
  const eol = eolOf(sheet.head, sheet.entries[0]?.text ?? '', sheet.tail);
  return item(fields, indent)
    .map((line) => line + eol)
    .join('');
}

/** An item of the list, as lines. */
export function item(fields: Fields, indent: number): string[] {
  const pad = ' '.repeat(indent);
  return dashed(isNested(fields) ? block(fields, indent + 2) : [`${pad}  {}`], indent);
}

/** `key: value`, or `key:` and the lines of its value below. */
export function pair(key: string, value: Json, indent: number): string[] {
  const pad = ' '.repeat(indent);
  const word = scalar(key);
  const lead = word.length > maxKey ? [`${pad}? ${word}`, `${pad}:`] : [`${pad}${word}:`];
  if (isNested(value)) return [...lead, ...block(value, indent + 2)];
  lead.push(`${lead.pop()} ${inline(value)}`);
  return lead;
}

function block(value: Json[] | Fields, indent: number): string[] {
  if (!Array.isArray(value)) return Object.entries(value).flatMap(([key, part]) => pair(key, part, indent));
  const pad = ' '.repeat(indent + 2);
  return value.flatMap((part) =>
    dashed(isNested(part) ? block(part, indent + 2) : [pad + inline(part)], indent),
  );
}

/** Puts the dash of a list item into the indentation of its first line. */
function dashed([first = '', ...rest]: readonly string[], indent: number): string[] {
  return [`${' '.repeat(indent)}- ${first.slice(indent + 2)}`, ...rest];
}

/** How far an entry's dash is indented. */
export function indentOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  for (let at = 0; at < text.length; at = lineEnd(text, at)) {
    let first = at;
    while (text.charCodeAt(first) === space) first++;
    if (text.charCodeAt(first) === dash) return first - at;
  }
  return undefined;
}
