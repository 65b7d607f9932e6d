import type { CommandLine } from '../errors/command.ts';
import type { NextStep } from '../render/explain/types.ts';
import type { KindName } from '../task/kind-names.ts';
import type { NamedNeed } from '../task/needs.ts';
import type { Task } from '../task/schema.ts';

export interface About {
  kind: KindName;
  /** What people call the task in commands. */
  name: string;
  task: Task;
  /** What must be done first and is not. */
  waits?: readonly NamedNeed[];
  /** Who would get the task, on the board. */
  role?: string;
  /** The kind that a person had to name because another kind has a task of the same name. */
  of?: string | undefined;
}

/** The commands of one kind for what may be done with any task. */
export interface Forms {
  begin: NextStep[];
  watch: NextStep[];
  /** Somebody else has to look at the work. */
  review: NextStep[];
  over: NextStep[];
  /** Shows what went wrong. */
  look: NextStep[];
  /** Continues when the cause of a block is fixed. */
  again: (does: string) => NextStep[];
  /** Raises the task's own budget, and continues. */
  allow: (cap: string) => NextStep[];
  /** Continues by itself when its time has come. */
  wait: NextStep[];
  /** For a task that waits for others that will never be done. */
  lost?: (waits: readonly NamedNeed[]) => NextStep[];
  /** Brings back a deleted task. */
  restore?: NextStep[];
  /** It can be looked at and nothing else. */
  isArchived?: boolean;
}

/** What a kind says about what follows. Loaded by every look at tasks, so it imports no format. */
export interface KindNext {
  /** What one of its tasks is, in words. */
  noun: string;
  /** The command that makes a first one. */
  first: CommandLine;
  /** What notices call a task. */
  label: (task: Task) => string;
  /** Names are made of titles. */
  namesSayTitle?: boolean;
  /** Runs a task of this kind and whatever else waits for nobody. */
  run: readonly string[];
  /** Continues one task. */
  goOn: (name: string) => readonly string[];
  /** Does again what failed. */
  retry: (name: string) => readonly string[];
  /** Why no run takes up this queued task; undefined: a run does. `short` is for a list. */
  idle: (task: Task, name: string) => { text: string; short: string; kind: string } | undefined;
  forms: (about: About) => Forms;
}

export const titledId = ({ id, title }: Task): string => `${id} (${title})`;

export function step(words: readonly string[], does: string): NextStep {
  return { words, does };
}

export const afterAll = 'take the no back: it is wanted after all';

export const waitForAll = [step(['run', '--all', '--wait'], 'wait for the end of the limit, and go on')];

export function logs({ name, task, of }: About): NextStep[] {
  return task.attempts ? [step(['logs', name, ...which(of)], 'see what its agents said')] : [];
}

export function follow({ name, of }: About): NextStep {
  return step(['logs', name, '--follow', ...which(of)], 'see what its agents do');
}

function which(of: string | undefined): string[] {
  return of === undefined ? [] : ['--of', of];
}
