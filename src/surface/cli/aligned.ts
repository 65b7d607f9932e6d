import type { Color, Paint } from './style.ts';
import { visible } from './visible.ts';
import { cut, displayWidth, padEnd } from './width.ts';

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
