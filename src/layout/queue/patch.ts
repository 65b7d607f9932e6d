import type { Entry, Fields, Json } from '../layout.ts';
import { same } from '../same.ts';
import { item } from '../yaml/block.ts';
import { edited, inserted, replaced, without, type Edit } from '../yaml/edit.ts';
import { eolOf } from '../yaml/lines.ts';
import { slotsOf } from '../yaml/splice.ts';
import { rankOf } from './fields.ts';
import { read } from './read.ts';
import { indentOf } from './render.ts';

/**
 * Sets keys of an entry (undefined takes one out) and leaves every other byte: comments, quotes, order, line ends.
 * The result is read again; where splicing does not give what was asked for (a mapping in braces, anchors that other
 * keys use), the item is written anew and its lead comments stay. An entry that does not parse comes back as it is.
 */
export function patch(entry: Entry, changes: Readonly<Record<string, Json | undefined>>): string {
  const before = read(entry.text);
  if (!('fields' in before)) return entry.text;
  let text = entry.text;
  const wanted: Record<string, Json> = { ...before.fields };
  for (const [key, value] of Object.entries(changes)) {
    if (same(Object.hasOwn(wanted, key) ? wanted[key] : undefined, value)) continue;
    if (value === undefined) delete wanted[key];
    else wanted[key] = value;
    text = spliced(text, key, value, wanted) ?? rewritten(text, wanted);
  }
  return text;
}

function spliced(text: string, key: string, value: Json | undefined, wanted: Fields): string | undefined {
  const found = read(text);
  const slots = 'fields' in found ? slotsOf(found.map, text) : undefined;
  if (!slots) return undefined;
  const index = slots.findIndex((slot) => slot.key === key);
  const slot = slots[index];
  let edit: Edit | undefined;
  if (value === undefined) edit = slot && without(text, slots, index);
  else edit = slot ? replaced(text, slot, value) : inserted(text, slots, key, value, rankOf);
  const result = edit ? edited(text, [edit]) : text;
  const after = read(result);
  return 'fields' in after && same(after.fields, wanted) ? result : undefined;
}

function rewritten(text: string, wanted: Fields): string {
  const indent = indentOf(text) ?? 2;
  const eol = eolOf(text);
  let start = 0;
  while (indentOf(text.slice(start, text.indexOf('\n', start) + 1 || undefined)) === undefined) {
    start = text.indexOf('\n', start) + 1;
    if (start === 0) return text;
  }
  const lines = item(wanted, indent).join(eol);
  return text.slice(0, start) + lines + (text.endsWith('\n') ? eol : '');
}
