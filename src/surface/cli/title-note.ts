import type { Paint } from './style.ts';
import { visible } from './visible.ts';
import { cut, displayWidth } from './width.ts';

/** Fewer columns than this are not shared: the title alone says more. */
const minShared = 20;

/** The title and the note share the rest of the row; why a task stands still is worth as much as its title. */
export function titleAndNote(name: string, why: string, columns: number, paint: Paint): string {
  const title = visible(name);
  const note = visible(why);
  if (note === '' || columns < minShared) return cut(title, columns);
  if (columns === Infinity) return `${title}  ${paint('dim', `[${note}]`)}`;
  const noteWidth = Math.min(
    displayWidth(note) + 4,
    Math.max(Math.ceil(columns / 2), columns - displayWidth(title)),
  );
  const shownTitle = cut(title, columns - noteWidth);
  return `${shownTitle}  ${paint('dim', `[${cut(note, noteWidth - 4)}]`)}`;
}
