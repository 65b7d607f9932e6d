import type { Entry, Fields, Json } from '../layout.ts';
import { rankOf } from './fields.ts';
import { eolOf } from './lines.ts';
import { read } from './read.ts';
import { indentOf, item, pair } from './render.ts';
import { same } from './same.ts';
import { inline, isNested } from './scalar.ts';
import { slotsOf, type Slot } from './splice.ts';

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
  let result: string;
  if (value === undefined) result = slot ? without(text, slots, index) : text;
  else result = slot ? replaced(text, slot, value) : inserted(text, slots, key, value);
  const after = read(result);
  return 'fields' in after && same(after.fields, wanted) ? result : undefined;
}

function replaced(text: string, slot: Slot, value: Json): string {
  const comment = slot.comment === undefined ? '' : ` ${slot.comment}`;
  const column = columnOf(text, slot.start);
  const lines = isNested(value) ? pair(slot.key, value, column).slice(1) : [];
  const first = isNested(value) ? comment : ` ${inline(value)}${comment}`;
  const rest = text.slice(slot.end);
  if (lines.length === 0) return text.slice(0, slot.colon) + first + rest;
  // A comment behind the old value stays behind the key, in front of the lines of the new one.
  const tail = text.slice(slot.end, slot.next).trimEnd();
  const eol = eolOf(text);
  const ended = text.slice(0, slot.next).endsWith('\n') ? eol : '';
  return `${text.slice(0, slot.colon)}${first}${tail}${eol}${lines.join(eol)}${ended}${text.slice(slot.next)}`;
}

/** New keys stand behind the last one that comes before them in the spec. */
function inserted(text: string, slots: readonly Slot[], key: string, value: Json): string {
  const rank = rankOf(key);
  const before = slots.findLast((slot) => rankOf(slot.key) <= rank) ?? slots[0];
  if (!before) return text;
  const eol = eolOf(text);
  const lines = pair(key, value, columnOf(text, before.start));
  const head = text.slice(0, before.next);
  return head.endsWith('\n')
    ? `${head}${lines.join(eol)}${eol}${text.slice(before.next)}`
    : `${head}${eol}${lines.join(eol)}${text.slice(before.next)}`;
}

function without(text: string, slots: readonly Slot[], index: number): string {
  const slot = slots[index] as Slot;
  const following = slots[index + 1];
  const lineStart = text.lastIndexOf('\n', slot.start - 1) + 1;
  if (text.slice(lineStart, slot.start).trim() === '')
    return text.slice(0, lineStart) + text.slice(slot.next);
  // The key on the dash's own line: the next one moves up, unless a comment stands between them.
  if (!following) return `${text.slice(0, slot.start)}{}${text.slice(slot.end)}`;
  const between = text.slice(slot.next, following.start);
  if (between.trim() === '') return text.slice(0, slot.start) + text.slice(following.start);
  return text.slice(0, slot.start).trimEnd() + eolOf(text) + text.slice(slot.next);
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

/** The column of an offset; the keys of an entry stand in one. */
function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}
