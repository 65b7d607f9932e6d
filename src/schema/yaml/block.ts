import type { Fields, Json } from '../../task/json.ts';
import { inline, isNested, scalar } from './scalar.ts';

/** YAML takes a key for a key only if its colon comes within 1,024 characters; a longer one is marked by "? ". */
const maxKey = 1000;

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
