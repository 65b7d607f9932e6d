import { nextOf } from '../../../project/tasks/next.ts';
import type { Item } from '../../../project/view/types.ts';
import { reasonLine } from '../../../render/reason-line.ts';
import { unprovedText } from '../../../render/unmet.ts';
import { alignedRows, type AlignedRow } from '../frame/aligned.ts';
import type { Context } from '../frame/context.ts';
import { copyable } from '../frame/copyable.ts';
import { age, clockTime, usedText } from '../frame/format.ts';
import { withoutTime } from '../frame/resumes.ts';
import type { Color, Paint } from '../frame/style.ts';
import { cut, visible } from '../frame/visible.ts';

export interface Look {
  now: number;
  columns: number;
  paint: Paint;
  globals: Context['globals'];
}

const longestName = 32;
const indent = '  ';

/** How long, which, and why; below it the command that goes on. */
export function withCommands(items: readonly Item[], look: Look): string[] {
  const rows = aligned(
    items.map((item) => ({ cells: headOf(item, look, 'yellow'), last: titled(item, item.why.text) })),
    look,
  );
  return rows.flatMap((row, at) => {
    const next = items[at]?.next;
    return next ? [row, `${indent}${indent}${look.paint('bold', copyable(look, ...next.words))}`] : [row];
  });
}

/** One agent, or one person, to a row. */
export function runningRows(items: readonly Item[], look: Look): string[] {
  return aligned(
    items.map((item) => {
      const { step, agent, attempt = 1, owner = '', used } = item;
      const who = agent === undefined ? `held by ${owner}` : `${step} (${agent})`;
      const again = attempt > 1 ? `, attempt ${attempt}` : '';
      return { cells: headOf(item, look, 'cyan'), last: titled(item, `${who}${again}; ${usedText(used)}`) };
    }),
    look,
  );
}

export function waitingRows(items: readonly Item[], look: Look): string[] {
  return aligned(
    items.map((item) => {
      const { kind, text, until } = item.why;
      const end =
        until === undefined ? '' : `, until ${clockTime(until, look.now)} (${ahead(until, look.now)})`;
      return {
        cells: headOf(item, look, 'plain'),
        last: titled(item, `${reasonLine(kind, withoutTime(text, until))}${end}`),
      };
    }),
    look,
  );
}

export function endedRows(items: readonly Item[], look: Look): string[] {
  const rows = items.map((item) => {
    const isUndelivered = item.why.kind === 'undelivered';
    const color = isUndelivered ? 'yellow' : item.status === 'done' ? 'green' : 'dim';
    const kind = isUndelivered ? 'done, delivery failed' : item.why.kind;
    const last = item.unproved ? `${item.title} (${unprovedText})` : item.title;
    return { cells: [...headOf(item, look, color), kind], last };
  });
  if (!items.some(({ next }) => next?.words[0] === 'merge')) return aligned(rows, look);
  const command = look.paint('bold', copyable(look, 'merge', '--queue'));
  return [...aligned(rows, look), `${indent}  not all of it is merged; to bring it in: ${command}`];
}

/** A name that is not made of the title says little. */
export function titled({ layout, title }: Item, text: string): string {
  return nextOf(layout).namesSayTitle ? text : `${title}: ${text}`;
}

function headOf(item: Item, { now }: Look, color: Color): AlignedRow['cells'] {
  const name = cut(visible(item.name), longestName);
  return [age(item.since, now).padStart(4), { text: `${item.layout} ${name}`, color }];
}

function aligned(rows: readonly AlignedRow[], { columns, paint }: Look): string[] {
  return alignedRows(rows, columns - indent.length, paint).map((row) => `${indent}${row}`);
}

/** `in 2h`; a time that is over is due. */
export function ahead(until: string, now: number): string {
  const left = Date.parse(until) - now;
  return left <= 0 ? 'due' : `in ${age(new Date(now - left).toISOString(), now)}`;
}
