import type { Sheet } from '../../../layout/layout.ts';
import { item } from '../../../schema/yaml/block.ts';
import { dash, eolOf, lineEnd, space } from '../../../schema/yaml/lines.ts';
import type { Fields } from '../../../task/json.ts';
import { emptyPlace } from './empty.ts';
import { renderFlow } from './flow.ts';

/** A new entry in the style of its neighbours: their indentation and line ends. */
export function render(fields: Fields, sheet: Sheet): string {
  if (sheet.flow) return renderFlow(fields, sheet);
  const place = sheet.entries.length === 0 && sheet.head === '' ? emptyPlace(sheet.tail) : undefined;
  if (place) return renderFlow(fields, { ...place, entries: [] });
  const indent = indentOf(sheet.entries[0]?.text) ?? 2;
  const eol = eolOf(sheet.head, sheet.entries[0]?.text ?? '', sheet.tail);
  return item(fields, indent)
    .map((line) => line + eol)
    .join('');
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
