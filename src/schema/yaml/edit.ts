import type { Json } from '../../task/json.ts';
import { pair } from './block.ts';
import { eolOf } from './lines.ts';
import { inline, isNested } from './scalar.ts';
import type { Slot } from './splice.ts';

/** A piece of a text and what to put in its place. */
export interface Edit {
  from: number;
  to: number;
  text: string;
}

/** The text with edits made that do not overlap. Edits at one place follow each other as they were given. */
export function edited(text: string, edits: readonly Edit[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { from, to, text: piece } of edits.toSorted((a, b) => a.from - b.from)) {
    pieces.push(text.slice(at, from), piece);
    at = to;
  }
  return pieces.join('') + text.slice(at);
}

export function replaced(text: string, slot: Slot, value: Json): Edit {
  const comment = slot.comment === undefined ? '' : ` ${slot.comment}`;
  if (!isNested(value)) return { from: slot.colon, to: slot.end, text: ` ${inline(value)}${comment}` };
  const lines = pair(slot.key, value, columnOf(text, slot.start)).slice(1);
  // A comment behind the old value stays behind the key, in front of the lines of the new one.
  const tail = text.slice(slot.end, slot.next).trimEnd();
  const eol = eolOf(text);
  const ended = text.slice(0, slot.next).endsWith('\n') ? eol : '';
  return { from: slot.colon, to: slot.next, text: `${comment}${tail}${eol}${lines.join(eol)}${ended}` };
}

/** New keys stand behind the last one that comes before them by rank. */
export function inserted(
  text: string,
  slots: readonly Slot[],
  key: string,
  value: Json,
  rankOf: (key: string) => number,
): Edit | undefined {
  const rank = rankOf(key);
  const before = slots.findLast((slot) => rankOf(slot.key) <= rank) ?? slots[0];
  return before && below(text, before.next, pair(key, value, columnOf(text, before.start)));
}

/** Lines of their own at the place where a line begins, or behind the last line. */
export function below(text: string, at: number, lines: readonly string[]): Edit {
  const eol = eolOf(text);
  const block = lines.join(eol);
  return { from: at, to: at, text: text.slice(0, at).endsWith('\n') ? `${block}${eol}` : `${eol}${block}` };
}

export function without(text: string, slots: readonly Slot[], index: number): Edit {
  const slot = slots[index] as Slot;
  const following = slots[index + 1];
  const lineStart = text.lastIndexOf('\n', slot.start - 1) + 1;
  if (text.slice(lineStart, slot.start).trim() === '') return { from: lineStart, to: slot.next, text: '' };
  // The key on the dash's own line: the next one moves up, unless a comment stands between them.
  if (!following) return { from: slot.start, to: slot.end, text: '{}' };
  const between = text.slice(slot.next, following.start);
  if (between.trim() === '') return { from: slot.start, to: following.start, text: '' };
  return { from: text.slice(0, slot.start).trimEnd().length, to: slot.next, text: eolOf(text) };
}

/** The column of an offset; the keys of an entry stand in one. */
export function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}
