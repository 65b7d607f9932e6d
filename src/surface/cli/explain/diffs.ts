import type { StepDiff } from '../../../render/explain/types.ts';
import { columnsOf, type Color, type Paint } from '../style.ts';
import { visible } from '../visible.ts';
import { cut, padEnd } from '../width.ts';
import type { World } from '../world.ts';

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
