import type { TreeUse } from '../io/process/activity.ts';

/** What was seen of an attempt that had to be ended, and what was done about it. */
export interface Evidence {
  /** Since its last event or output. */
  quietMs: number;
  last?: { words: string; at: string };
  /** Names of the tools that were at work. */
  tools: readonly string[];
  /** What its processes used in the last while. */
  used?: { use: TreeUse; overMs: number };
  /** Why its processes could not be looked at. */
  blind?: string;
  interrupted: 'never' | 'in vain' | 'and ended';
}

/** One sentence for people who ask why it was ended. */
export function evidenceText(evidence: Evidence): string {
  const { quietMs, last, tools, used, blind, interrupted } = evidence;
  const parts = [
    `no event or output for ${span(quietMs)}`,
    last ? `the last event was "${last.words}" at ${last.at}` : 'it never said anything',
    tools.length === 0 ? 'no tool was open' : `open: ${tools.join(', ')}`,
    used && usedWords(used.use, used.overMs),
    blind !== undefined && `its processes could not be looked at: ${blind}`,
    interrupted === 'in vain' && 'it did not react to an interruption (SIGINT) and was ended',
    interrupted === 'and ended' && 'it was interrupted (SIGINT) and ended',
  ];
  return parts.filter((part) => part !== undefined && part !== false).join('; ');
}

function usedWords({ processes, cpuMs, ioBytes }: TreeUse, overMs: number): string {
  const cpu = `${(cpuMs / 1000).toFixed(cpuMs < 10_000 ? 2 : 0)} s of CPU`;
  const io = `${Math.round(ioBytes / 1024)} kB read and written`;
  return `its ${processes} processes used ${cpu}, ${io} in the last ${span(overMs)}`;
}

function span(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
