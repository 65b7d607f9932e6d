import type { PsEntry } from '../../app/ps/api.ts';
import { age } from './age.ts';
import { alignedRows, type AlignedRow } from './aligned.ts';
import type { Color, Paint } from './style.ts';
import { visible } from './visible.ts';
import { cut } from './width.ts';

const colors: Readonly<Record<PsEntry['state'], Color>> = {
  running: 'cyan',
  stray: 'red',
  suspect: 'yellow',
};

/** One row per attempt: what runs, for whom, since when, what it uses, and what it said last. */
export function psRows(
  processes: readonly PsEntry[],
  look: { now: number; columns: number; heading: boolean; paint: Paint },
): string {
  const { now, columns, heading, paint } = look;
  const rows: AlignedRow[] = processes.map((entry) => ({
    cells: [
      String(entry.pid),
      { text: entry.state, color: colors[entry.state] },
      entry.name ?? entry.task ?? '-',
      stepOf(entry),
      entry.agent,
      entry.since === undefined ? '?' : age(entry.since, now),
      `${entry.cpuSeconds.toFixed(1)}s ${entry.cpuPercent}%`,
      `${Math.round(entry.rssBytes / 1024 ** 2)}M`,
    ],
    last: (rest) => cut(visible(lastOf(entry, now)), rest),
  }));
  const names = ['PID', 'STATE', 'TASK', 'STEP', 'AGENT', 'SINCE', 'CPU', 'RSS'];
  if (heading)
    rows.unshift({
      cells: names.map((text) => ({ text, color: 'dim' as const })),
      last: () => paint('dim', 'LAST EVENT'),
    });
  return alignedRows(rows, columns, paint).join('\n');
}

function stepOf({ step, attempt }: PsEntry): string {
  if (step === undefined) return '-';
  return attempt === undefined || attempt === 1 ? step : `${step}#${attempt}`;
}

function lastOf({ last, ports, why, goOn }: PsEntry, now: number): string {
  const parts = [
    last ? `${last.what} ${age(last.at, now)} ago` : 'nothing yet',
    ports.length > 0 ? `listens on ${ports.join(', ')}` : undefined,
    why,
    goOn === undefined ? undefined : `goes on with: ${goOn}`,
  ];
  return parts.filter((part) => part !== undefined).join('; ');
}
