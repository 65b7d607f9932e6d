import type { KindName } from '../../task/kind-names.ts';
import type { Loop } from '../../task/loop.ts';
import type { Used } from '../../task/used-schema.ts';

/** One thing that happened, in a line. */
export interface Moment {
  at: string;
  seq: number;
  by: string;
  /** The journal's own word for it. */
  type: string;
  text: string;
  step?: string;
}

/** One call of an agent. */
export interface Call {
  step: string;
  n: number;
  agent: string;
  adapter: string;
  startedAt: string;
  session?: string;
  endedAt?: string;
  seconds?: number;
  /** Absent: it is at work, or nobody saw it end. */
  outcome?: string;
  error?: string;
  usage?: { input: number; cached: number; output: number; cost?: number };
}

/** What was decided, and by whom: the rule that led on, or a person's word at a gate. */
export interface Ruling {
  at: string;
  kind: 'rule' | 'gate' | 'verdict';
  /** The step, or the gate. */
  about: string;
  text: string;
  by: string;
}

/** Why it is as it is. */
export interface Cause {
  /** Of a task that is blocked, one of the published kinds. */
  kind: string;
  text: string;
  /** Who must act, where somebody must. */
  who?: string;
  resumesAt?: string;
}

/** A command that is possible now. A word in capitals is for the person to fill in. */
export interface NextStep {
  words: readonly string[];
  does: string;
}

/** What changed up to the end of one step, as a patch; '': nothing. */
export interface StepDiff {
  step: string;
  at: string;
  patch: string;
  /** Something is left out of it: it was too long, or is not kept any more. */
  partial?: true;
}

export interface Circle {
  pattern: Loop['kind'];
  /** The steps that show it, oldest first. */
  steps: string[];
  times: number;
  text: string;
  /** The last two. */
  diffs: StepDiff[];
}

/** What is told of a task of any kind, whatever was asked. */
export interface About {
  kind: KindName;
  id: string;
  name: string;
  title: string;
  status: string;
  cause: Cause;
  next: NextStep[];
  /** The task of another layout whose result this one's is, and those that do its work: `board:T-12`. */
  standsFor?: string;
  doneBy: string[];
  used?: Used;
}

export interface Explanation extends About {
  timeline: Moment[];
  attempts: Call[];
  decisions: Ruling[];
  evidence: {
    id: string;
    at: string;
    kind: string;
    what: string;
    ok: boolean | null;
    note?: string;
    wrong?: string;
  }[];
  loop?: Circle;
}
