import type { Item, View, ViewFinding } from '../../../app/view/types.ts';
import { nextOf } from '../../../kinds/next.ts';
import { copyable } from '../copyable.ts';
import { visible } from '../visible.ts';
import { footLines } from './foot.ts';
import { endedRows, runningRows, waitingRows, withCommands, type Look } from './rows.ts';

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
