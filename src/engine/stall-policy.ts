import type { Limits } from '../adapters/agent.ts';
import type { TreeUse } from '../io/process/table.ts';

/** What is known of an attempt at one look. All times in milliseconds. */
export interface Seen {
  /** Since its start, without the time that people took to answer it. */
  age: number;
  /** Since its last event or output. */
  quiet: number;
  /** Since its last sign of life: an event, output, or work of its processes. */
  idle: number;
  /** A tool is at work, or may be: then nothing has to be heard or seen of the agent. */
  tool: boolean;
  /** It was interrupted so long ago, and has said something since, or not. */
  interrupted?: { ago: number; answered: boolean };
  /** It was interrupted before, and went on. */
  spared: boolean;
}

/**
 * What to do next. `probe`: look at its processes. `interrupt`: what a Ctrl-C does, for it usually ends the turn in good
 * order. `spare`: it goes on after the interruption, once. `stop`: it does not; the engine then continues its session.
 */
export type StallAction = 'watch' | 'probe' | 'interrupt' | 'spare' | 'stop' | 'timeout';

export type StallLimits = Pick<Limits, 'wallMs' | 'silenceMs' | 'toolSilenceMs' | 'graceMs'>;

export function nextStallAction(seen: Seen, limits: StallLimits): StallAction {
  const { age, quiet, idle, tool, interrupted, spared } = seen;
  if (age > limits.wallMs) return 'timeout';
  if (interrupted) {
    if (interrupted.ago < limits.graceMs) return 'watch';
    return interrupted.answered && !spared ? 'spare' : 'stop';
  }
  // However much a tree works: one that says nothing for so long is as good as lost.
  if (quiet > limits.toolSilenceMs) return 'interrupt';
  if (!tool && idle > limits.silenceMs) return 'interrupt';
  return quiet > lookEvery(limits) ? 'probe' : 'watch';
}

const looksPerLimit = 10;
const longestLookMs = 5_000;
const sleptMs = 1_000;

/** Whoever looks so late was asleep, or its machine was: it cannot say that others were. */
export function slept(sinceLookMs: number, limits: StallLimits): boolean {
  return sinceLookMs > 3 * lookEvery(limits) + sleptMs;
}

export function lookEvery({ wallMs, silenceMs, toolSilenceMs }: StallLimits): number {
  return Math.min(Math.min(wallMs, silenceMs, toolSilenceMs) / looksPerLimit, longestLookMs);
}

/** An idle program's timers and heartbeats use some of the processor and of its pipes. That is no work. */
const idleShare = 0.02;
const idleBytesPerSecond = 4 * 1024;
/** And a moment tells nothing. */
const leastCpuMs = 20;
const leastBytes = 64 * 1024;

/** Whether processes that have used so much in so long are at work. */
export function works({ cpuMs, ioBytes }: TreeUse, overMs: number): boolean {
  return (
    cpuMs >= Math.max(leastCpuMs, overMs * idleShare) ||
    ioBytes >= Math.max(leastBytes, (overMs / 1000) * idleBytesPerSecond)
  );
}

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
