import { compact } from '../frame/format.ts';
import type { Color, Paint } from '../frame/style.ts';
import { cut, displayWidth, padEnd, visible } from '../frame/visible.ts';
import type { Counts, LiveRow, LiveState } from './state.ts';

export interface View {
  now: number;
  /** Of the terminal. */
  columns: number;
  height: number;
  paint: Paint;
}

interface Segment {
  text: string;
  color: Color;
}

/** The longest that a name gets; what was done last has the rest. */
const longest = { task: 24, step: 20, agent: 14 };
/** Narrower terminals show less of each. */
const roomy = 70;
const tight = 40;

/** What the terminal shows, line by line; each fits into its width. */
export function liveLines(state: LiveState, { now, columns, height, paint }: View): string[] {
  // Nothing has begun, and nobody knows of anything that will.
  if (state.rows.length === 0 && !state.counts.total) return [];
  const most = Math.max(1, height - 3);
  const shown = state.rows.length > most ? state.rows.slice(0, most - 1) : state.rows;
  const hidden = state.rows.length - shown.length;
  // The last column stays free: some terminals wrap as soon as it is written to.
  const fit = (segments: readonly Segment[]) => fitted(segments, columns - 1, paint);
  return [
    ...rowSegments(shown, now, columns).map(fit),
    ...(hidden > 0 ? [fit([dim(`… and ${hidden} more`)])] : []),
    fit(wholeSegments(state, now, columns)),
  ];
}

function rowSegments(rows: readonly LiveRow[], now: number, columns: number): Segment[][] {
  const cells = rows.map((row) => ({
    task: name(row.task, longest.task),
    step: name(row.step, longest.step),
    agent: columns < tight ? '' : name(row.agent, longest.agent),
    time: elapsed(now - row.since),
    used: columns < roomy ? '' : usedText(row),
  }));
  const width = (key: keyof (typeof cells)[number]) =>
    Math.max(...cells.map((cell) => displayWidth(cell[key])));
  const column = (key: keyof (typeof cells)[number], color: Color) => {
    const wide = width(key);
    return (at: number): Segment[] =>
      wide === 0 ? [] : [{ text: `${padEnd(cells[at]?.[key] ?? '', wide)}  `, color }];
  };
  const columnsOf = [
    column('task', 'cyan'),
    column('step', 'plain'),
    column('agent', 'dim'),
    column('time', 'bold'),
    column('used', 'dim'),
  ];
  return rows.map((row, at) => [
    ...columnsOf.flatMap((segments) => segments(at)),
    { text: visible(row.doing), color: 'plain' },
  ]);
}

function wholeSegments({ since, rows, counts, ...used }: LiveState, now: number, columns: number): Segment[] {
  const { done, failed, blocked, total } = counts;
  const parts: Segment[] = [
    { text: total === undefined ? `${done} done` : `${done}/${total} done`, color: 'plain' },
    ...(failed > 0 ? [{ text: `, ${failed} failed`, color: 'red' as const }] : []),
    ...(blocked > 0 ? [{ text: `, ${blocked} blocked`, color: 'yellow' as const }] : []),
    { text: `, ${rows.length} running`, color: 'plain' },
  ];
  const spent = usedText(used);
  return [
    ...(total === undefined ? [] : bar(counts, total, Math.min(24, Math.floor(columns / 4)))),
    ...parts,
    dim(`  ${elapsed(now - since)}${spent === '' ? '' : `  ${spent}`}`),
  ];
}

/** ASCII: how wide a block character is, terminals do not agree on. */
function bar({ done, failed, blocked }: Counts, total: number, width: number): Segment[] {
  if (width < 4 || total === 0) return [];
  const upTo = (count: number) => Math.round((width * Math.min(count, total)) / total);
  const [a, b, c] = [upTo(done), upTo(done + failed), upTo(done + failed + blocked)];
  return [
    dim('['),
    { text: '#'.repeat(a), color: 'green' },
    { text: 'x'.repeat(b - a), color: 'red' },
    { text: '!'.repeat(c - b), color: 'yellow' },
    dim(`${'.'.repeat(width - c)}] `),
  ];
}

function dim(text: string): Segment {
  return { text, color: 'dim' };
}

/** Names come from models and files. */
function name(text: string, most: number): string {
  return cut(visible(text), most);
}

function usedText({ tokens, cost }: Pick<LiveRow, 'tokens' | 'cost'>): string {
  const parts = [
    tokens === undefined ? '' : `${compact(tokens)} tokens`,
    cost === undefined ? '' : `$${cost.toFixed(2)}`,
  ];
  return parts.filter(Boolean).join('  ');
}

/** `7s`, `2m05s`, `1h02m`. */
export function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (value: number) => String(value).padStart(2, '0');
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m${two(seconds % 60)}s`;
  return `${Math.floor(seconds / 3600)}h${two(Math.floor((seconds % 3600) / 60))}m`;
}

/** Cut before it is painted: a colour takes no column, and must not be cut in two. */
function fitted(segments: readonly Segment[], columns: number, paint: Paint): string {
  let left = columns;
  return segments
    .map(({ text, color }) => {
      const shown = cut(text, left);
      left -= displayWidth(shown);
      return shown === '' ? '' : paint(color, shown);
    })
    .join('')
    .trimEnd();
}
