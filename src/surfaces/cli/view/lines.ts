import { nextOf } from '../../../project/tasks/next.ts';
import type { Cost, Item, LayoutCount, View, ViewFinding } from '../../../project/view/types.ts';
import { alignedRows } from '../frame/aligned.ts';
import type { Context } from '../frame/context.ts';
import { copyable } from '../frame/copyable.ts';
import { clockTime, priceText, toldText } from '../frame/format.ts';
import { statusNames } from '../frame/statuses.ts';
import { columnsOf } from '../frame/style.ts';
import { visible, wrapped } from '../frame/visible.ts';
import { ahead, endedRows, type Look, runningRows, waitingRows, withCommands } from './rows.ts';

interface Section {
  title: string;
  items: readonly Item[];
  /** So many fit beside the others on a screen. */
  most: number;
  rows: (items: readonly Item[], look: Look) => string[];
  /** Nobody asks for the others. */
  isSome?: true;
  /** Beside the items. */
  more?: number;
}

/**
 * The whole view: what is stuck, what needs a person, what runs, what waits, what ended, and the sums. `live`: agents at
 * work are shown elsewhere. `all`: every row.
 */
export function viewLines(view: View, look: Look, { live = false, all = false } = {}): string[] {
  const { stuck, needs, running, waiting, ended, more } = view;
  const sections: Section[] = [
    { title: 'Stuck', items: stuck, most: 5, rows: withCommands },
    { title: 'Needs you', items: needs, most: 5, rows: withCommands },
    {
      title: 'Running',
      items: live ? running.filter(({ step }) => step === undefined) : running,
      most: 10,
      rows: runningRows,
    },
    {
      title: 'Waiting',
      items: waiting,
      most: 5,
      rows: waitingRows,
      more: more.waiting,
    },
    { title: 'Ended lately', items: ended, most: 5, rows: endedRows, isSome: true },
  ];
  return [
    ...findingLines(view.findings, look),
    ...sections.flatMap((section) => [
      ...sectionLines(all ? { ...section, most: Infinity } : section, look),
      ...(section.items === needs && more.failed > 0
        ? [`  and ${more.failed} that failed earlier: docket list --status failed`]
        : []),
      ...(section.items === waiting ? runLine(view, look) : []),
    ]),
    ...footLines(view, look),
  ];
}

/** Nobody runs anything: then what waits for its turn waits for a command. */
function runLine({ running, waiting }: View, look: Look): string[] {
  const inTurn = waiting.filter(({ why }) => why.kind === 'slot');
  if (running.length > 0 || inTurn.length === 0) return [];
  // The longest runs the others too.
  const runs = inTurn.map(({ layout }) => nextOf(layout).run).toSorted((a, b) => b.length - a.length);
  return [`    ${look.paint('bold', copyable(look, ...(runs[0] ?? [])))}`];
}

function sectionLines({ title, items, most, rows, isSome, more = 0 }: Section, look: Look): string[] {
  if (items.length === 0) return [];
  const shown = items.slice(0, most);
  const left = items.length + more - shown.length;
  // Only the queue and the board can be so long that the view itself has not all of them.
  const rest = shown.length < items.length ? 'docket status --all' : 'docket list, docket board status';
  return [
    look.paint('bold', isSome ? title : `${title} (${items.length + more})`),
    ...rows(shown, look),
    ...(left > 0 && !isSome ? [`  and ${left} more: ${rest}`] : []),
  ];
}

const mostFindings = 5;

/** One damaged file hides nothing else. */
function findingLines(findings: readonly ViewFinding[], { paint }: Look): string[] {
  if (findings.length === 0) return [];
  const left = findings.length - mostFindings;
  return [
    paint('bold', `Cannot be read (${findings.length})`),
    ...findings.slice(0, mostFindings).flatMap(({ path, message, fix }) => {
      const place = message.includes(path) ? '' : `${path}: `;
      return [`  ${paint('red', visible(`${place}${message}`))}`, `    fix: ${visible(fix)}`];
    }),
    ...(left > 0 ? [`  and ${left} more: docket validate`] : []),
  ];
}

export function lookOf({ world, globals, out }: Context): Look {
  return {
    now: world.now(),
    columns: columnsOf(world.stdout, world.env),
    paint: out.paintData,
    globals,
  };
}

/** How many there are, what they cost, and who is left alone. */
function footLines({ layouts, cost, parked }: View, look: Look): string[] {
  const counts = layouts.map((layout) => ({
    cells: [layout.layout, String(layout.tasks).padStart(5)],
    last: countsText(layout),
  }));
  return [
    look.paint('bold', 'In all'),
    ...alignedRows(counts, look.columns - 2, look.paint).map((row) => `  ${row}`),
    cost ? `  cost   today ${costText(cost.today)}; in all ${costText(cost.all)}` : '  cost   unknown',
    ...parked.map(({ provider, kind, until, told, tried, reason }) => {
      const when = tried
        ? 'somebody tries it now'
        : `${told ? 'until' : 'tried again'} ${clockTime(until, look.now)} (${ahead(until, look.now)})`;
      const what = kind === 'limit' ? 'at its limit' : 'out of reach';
      return `  ${look.paint('yellow', visible(provider))} is ${what}, ${when}: ${visible(reason)}`;
    }),
  ];
}

function countsText({ counts }: LayoutCount): string {
  const parts = statusNames.flatMap((status) => (counts[status] ? [`${counts[status]} ${status}`] : []));
  return parts.length === 0 ? 'none' : parts.join(', ');
}

function costText(cost: Cost): string {
  const { calls, lost, open } = cost;
  const count = calls + lost + open;
  if (count === 0) return 'nothing';
  const parts = [
    priceText(cost),
    `${count} ${count === 1 ? 'call' : 'calls'}`,
    toldText(cost),
    ...(open > 0 ? [`${open} at work`] : []),
  ];
  return parts.join(', ');
}

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
