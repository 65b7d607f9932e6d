import { alignedRows } from '../aligned.ts';
import type { Context } from '../context.ts';
import { columnsOf } from '../style.ts';
import { visible } from '../visible.ts';
import { wrapped } from '../width.ts';

export interface NeedRow {
  old: string;
  command: string;
  text: string;
}

const indent = '      ';

/** A question is never cut: a pipe gets one line for each, a terminal the words below the command. */
export function needLines(rows: readonly NeedRow[], { world, out }: Context): string[] {
  const paint = out.paintData;
  if (world.stdout.isTTY !== true)
    return alignedRows(
      rows.map(({ old, command, text }) => ({ cells: [old, command], last: text })),
      Infinity,
      paint,
    );
  const columns = columnsOf(world.stdout, world.env) - indent.length;
  return rows.flatMap(({ old, command, text }) => [
    `${old}  ${paint('bold', command)}`.trimEnd(),
    ...wrapped(visible(text), columns).map((line) => `${indent}${line}`),
  ]);
}
