import type { Entry, Sheet } from '../../../layout/layout.ts';
import { flowText } from '../../../schema/yaml/block.ts';
import { hash, isBlank, lineEnd } from '../../../schema/yaml/lines.ts';
import type { Fields } from '../../../task/json.ts';

/**
 * A list in brackets, as in a file of JSON. An entry is an item with what separates it from the one before, so that the
 * pieces put together are the file again, and taking one out or adding one is a matter of commas.
 */
export function joinFlow({ head, entries, tail }: Sheet): string {
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
export function renderFlow(fields: Fields, { head, entries }: Sheet): string {
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
