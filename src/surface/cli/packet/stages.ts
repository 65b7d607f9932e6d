import type { StageView } from '../../../kinds/packet/api.ts';
import type { AlignedRow } from '../aligned.ts';
import type { Color } from '../style.ts';

const colors: Readonly<Record<string, Color>> = {
  running: 'cyan',
  done: 'green',
  failed: 'red',
  interrupted: 'yellow',
  blocked: 'yellow',
  canceled: 'dim',
};

/** A stage, what became of it, and why. */
export function stageRow({ stage, state, exitCode, seconds, reasons }: StageView): AlignedRow {
  return {
    cells: [
      stage,
      { text: state, color: colors[state] ?? 'plain' },
      exitCode === undefined ? '' : `exit ${exitCode}`,
      seconds === undefined ? '' : wholeSeconds(seconds),
    ],
    last: reasons.join('; '),
  };
}

export function wholeSeconds(seconds: number): string {
  return `${Math.round(seconds)}s`;
}
