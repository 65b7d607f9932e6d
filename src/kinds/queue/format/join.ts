import type { Sheet } from '../../../layout/layout.ts';
import { eolOf } from '../../../schema/yaml/lines.ts';
import { emptyPlace } from './empty.ts';
import { joinFlow } from './flow.ts';
import { findList } from './list.ts';

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
