import type { Color, Paint } from './style.ts';
import { cut, displayWidth, padEnd, visible } from './visible.ts';

export interface AlignedRow {
  /** Never cut: names that people type again. */
  cells: readonly (string | { text: string; color: Color })[];
  /** What gets the rest of the row, or makes the best of so many columns. */
  last: string | ((columns: number) => string);
}

/** However narrow the terminal, so much of the last cell is shown. */
const leastLast = 12;

/** Rows with their cells below each other. All text is made safe here. */
export function alignedRows(rows: readonly AlignedRow[], columns: number, paint: Paint): string[] {
  const shown = rows.map(({ cells, last }) => ({
    cells: cells.map((cell) => (typeof cell === 'string' ? { text: cell, color: 'plain' as const } : cell)),
    last,
  }));
  const widths: number[] = [];
  for (const { cells } of shown)
    cells.forEach(({ text }, at) => {
      widths[at] = Math.max(widths[at] ?? 0, displayWidth(visible(text)));
    });
  const rest = Math.max(
    leastLast,
    widths.reduce((left, width) => left - width - 2, columns),
  );
  return shown.map(({ cells, last }) => {
    const parts = cells.map(({ text, color }, at) => paint(color, padEnd(visible(text), widths[at] ?? 0)));
    const end = typeof last === 'string' ? cut(visible(last), rest) : last(rest);
    return [...parts, end].join('  ').trimEnd();
  });
}

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
