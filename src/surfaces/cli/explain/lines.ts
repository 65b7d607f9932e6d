import { nextOf } from '../../../project/tasks/next.ts';
import type { Call, Explanation, Ruling, StepDiff } from '../../../render/explain/types.ts';
import { usedWords } from '../../../render/used.ts';
import { type AlignedRow, alignedRows } from '../frame/aligned.ts';
import type { Context } from '../frame/context.ts';
import { clockTime, tokensText } from '../frame/format.ts';
import { withoutTime } from '../frame/resumes.ts';
import { statusColors } from '../frame/statuses.ts';
import { type Color, columnsOf, type Paint } from '../frame/style.ts';
import { cut, padEnd, visible, visibleLines } from '../frame/visible.ts';
import type { World } from '../frame/world.ts';

/** The last ones say why it is as it is; --json has all of them. */
const mostMoments = 100;

/** Why first, then what to do, then how it came to that. */
export function explainLines(
  found: Explanation,
  next: readonly { command: string; does: string }[],
  { out, world }: Context,
): string[] {
  const { cause, loop, timeline, attempts, decisions, evidence } = found;
  const paint = out.paintData;
  const columns = columnsOf(world.stdout, world.env) - 2;
  const rows = (title: string, list: readonly AlignedRow[]): string[] =>
    list.length === 0
      ? []
      : [paint('bold', title), ...alignedRows(list, columns, paint).map((row) => `  ${row}`)];
  const left = timeline.length - mostMoments;
  const resumes = cause.resumesAt === undefined ? '' : `, goes on ${clockTime(cause.resumesAt, world.now())}`;
  const color = statusColors[found.status as keyof typeof statusColors];
  return [
    `${visible(found.name)}: ${visible(found.title)}`,
    `${nextOf(found.kind).noun}, ${paint(color, found.status)}${cause.kind === found.status ? '' : ` (${visible(cause.kind)})`}${resumes}`,
    `why: ${visibleLines(withoutTime(cause.text, cause.resumesAt))}`,
    ...(cause.who === undefined ? [] : [`whose turn: ${visible(cause.who)}`]),
    ...(found.standsFor === undefined ? [] : [`done for: ${visible(found.standsFor)}`]),
    ...(found.doneBy.length === 0 ? [] : [`done by: ${visible(found.doneBy.join(', '))}`]),
    ...(found.used ? [`used: ${usedWords(found.used)}`] : []),
    ...(loop ? [paint('bold', 'the last two changes:'), ...diffLines(loop.diffs, world, paint)] : []),
    ...rows(
      'next:',
      next.map(({ command, does }) => ({ cells: [command], last: does })),
    ),
    ...rows('decisions:', decisionRows(decisions)),
    ...rows(
      'evidence:',
      evidence.map(({ id, kind, ok, what, wrong, note }) => ({
        cells: [id, ok === null ? '-' : ok && wrong === undefined ? 'ok' : 'not ok', kind],
        last: wrong ?? [what, note].filter(Boolean).join(': '),
      })),
    ),
    ...rows('attempts:', attempts.map(callRow)),
    ...rows(
      left > 0 ? `timeline (${left} earlier ones: --json):` : 'timeline:',
      timeline.slice(-mostMoments).map(({ at, by, text }) => ({ cells: [at, by], last: text })),
    ),
  ];
}

/** The same decision again is counted, where it was made first. */
function decisionRows(decisions: readonly Ruling[]): AlignedRow[] {
  const counts = new Map<string, { ruling: Ruling; times: number }>();
  for (const ruling of decisions) {
    const key = JSON.stringify([ruling.about, ruling.by, ruling.text]);
    counts.set(key, { ruling, times: (counts.get(key)?.times ?? 0) + 1 });
  }
  return [...counts.values()].map(({ ruling: { about, by, text }, times }) => ({
    cells: [about],
    last: `${text} (decided by ${by}${times > 1 ? `, ${times} times` : ''})`,
  }));
}

function callRow({ step, n, agent, outcome, seconds, usage, error, session }: Call): AlignedRow {
  const facts = [
    seconds === undefined ? '' : `${seconds.toFixed(1)} s`,
    tokensText(usage),
    ...(session === undefined ? [] : [`session ${session}`]),
    ...(error === undefined ? [] : [error]),
  ];
  const color = outcome === 'ok' ? 'green' : outcome === 'failed' ? 'red' : 'plain';
  return {
    cells: [`${step} ${n}`, agent, { text: outcome ?? 'at work', color }],
    last: facts.filter(Boolean).join(', '),
  };
}

/** Narrower than this, nobody could read two of them beside each other. */
const wideEnough = 100;
const between = ' │ ';

/** Two changes side by side, or one below the other where there is no room or no terminal. */
export function diffLines(diffs: readonly StepDiff[], { stdout, env }: World, paint: Paint): string[] {
  const columns = columnsOf(stdout, env);
  const [left, right] = diffs;
  if (!left) return ['  nothing is kept of them'];
  const sides = diffs.map(linesOf);
  if (!right || stdout.isTTY !== true || columns < wideEnough)
    return sides.flat().map((line) => `  ${paint(colorOf(line), line)}`);
  const width = Math.floor((columns - between.length) / 2);
  const shown = (line = ''): string => paint(colorOf(line), padEnd(cut(line, width), width));
  const length = Math.max(...sides.map((lines) => lines.length));
  return Array.from({ length }, (_, at) =>
    `${shown(sides[0]?.[at])}${between}${shown(sides[1]?.[at])}`.trimEnd(),
  );
}

function linesOf({ step, at, patch, partial }: StepDiff): string[] {
  const lines = patch === '' ? [partial ? 'it is not kept' : 'nothing changed'] : patch.trimEnd().split('\n');
  return [`== ${step}, ${at}`, ...lines, ...(partial && patch !== '' ? ['… and more'] : [])].map(visible);
}

function colorOf(line: string): Color {
  if (/^(?:==|---|\+\+\+)/.test(line)) return 'bold';
  if (line.startsWith('@@')) return 'cyan';
  return line.startsWith('+') ? 'green' : line.startsWith('-') ? 'red' : 'plain';
}
