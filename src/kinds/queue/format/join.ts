import type { Entry, Sheet } from '../../../layout/layout.ts';
import { item, flowText } from '../../../schema/yaml/block.ts';
import { dash, eolOf, hash, isBlank, lineEnd, space } from '../../../schema/yaml/lines.ts';
import type { Fields } from '../../../task/json.ts';
import { findList } from './list.ts';
import { emptyPlace } from './whole.ts';

/** The text of a sheet. What `split` made comes back byte for byte. */
export function join(sheet: Sheet): string {
  const { entries } = sheet;
  if (sheet.wrong) return sheet.head + entries.map((entry) => entry.text).join('') + sheet.tail;
  if (sheet.flow) return joinFlow(sheet);
  if (entries.length === 0) return emptied(sheet.head) + sheet.tail;
  const place = sheet.head === '' ? emptyPlace(sheet.tail) : undefined;
  if (place) return joinFlow({ ...place, entries });
  const { head, tail } = sheet.head === '' ? opened(sheet.tail) : sheet;
  const eol = eolOf(head, tail);
  const pieces = [head];
  for (const { text } of entries) pieces.push(text.endsWith('\n') ? text : text + eol);
  // The last line of a file need not end; that is the file's own affair as long as nothing follows.
  const last = entries.at(-1)?.text ?? '';
  if (tail === '' && !last.endsWith('\n')) pieces[pieces.length - 1] = last;
  return pieces.join('') + tail;
}

/** A list that has lost its last item must say so: a bare `tasks:` is null, which other tools refuse. */
function emptied(head: string): string {
  const list = findList(head);
  if (list.kind !== 'empty') return head;
  return `${head.slice(0, list.from)} []${head.slice(list.to)}`;
}

/** Makes room for the first entry in a file without any. */
function opened(text: string): { head: string; tail: string } {
  const eol = eolOf(text);
  const list = findList(text);
  if (list.kind !== 'empty') return { head: `${ended(text, eol)}tasks:${eol}`, tail: '' };
  const line = text.slice(0, list.from) + text.slice(list.to, list.at);
  return { head: ended(line, eol), tail: text.slice(list.at) };
}

function ended(text: string, eol: string): string {
  return text === '' || text === '\uFEFF' || text.endsWith('\n') ? text : text + eol;
}

/**
 * A list in brackets, as in a file of JSON. An entry is an item with what separates it from the one before, so that the
 * pieces put together are the file again, and taking one out or adding one is a matter of commas.
 */
function joinFlow({ head, entries, tail }: Sheet): string {
  const pieces = entries.map(({ text }, index) => {
    const comma = commaIn(text);
    if (index === 0 && comma !== -1) return unseparated(text, comma);
    if (index === 0) return text;
    return comma === -1 ? `, ${text}` : text;
  });
  return head + pieces.join('') + tail;
}

/** What separated an item goes when it comes first, but for comments. */
function unseparated(text: string, comma: number): string {
  const start = itemStart(text);
  return text.slice(0, start).trim() === ','
    ? text.slice(start)
    : text.slice(0, comma) + text.slice(comma + 1);
}

/** A new item, separated as its neighbours are. */
function renderFlow(fields: Fields, { head, entries }: Sheet): string {
  const second = entries[1]?.text ?? '';
  const lead = second.slice(0, itemStart(second));
  const space = /^,\s*$/.test(lead) ? lead : `,${/\n[ \t]*$/.exec(head)?.[0] ?? ' '}`;
  return `${entries.length === 0 ? '' : space}${flowText(fields)}`;
}

/** Is this an item of a list in brackets? An item of any other list begins with a dash, below its comments. */
export function isFlow({ text }: Pick<Entry, 'text'>): boolean {
  const at = itemStart(text);
  return !(text[at] === '-' && (at + 1 >= text.length || isBlank(text.charCodeAt(at + 1))));
}

/** Where an item itself begins: behind blanks, comments and one comma. */
export function itemStart(text: string): number {
  const comma = commaIn(text);
  return comma === -1 ? skipRemarks(text, 0) : skipRemarks(text, comma + 1);
}

/** The comma in front of an item; -1: there is none. */
function commaIn(text: string): number {
  const at = skipRemarks(text, 0);
  return text[at] === ',' ? at : -1;
}

function skipRemarks(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === hash) at = lineEnd(text, at) - 1;
    else if (!isBlank(code)) break;
  }
  return at;
}

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
