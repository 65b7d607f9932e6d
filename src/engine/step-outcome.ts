import type { AgentError, ErrorClass } from '../adapters/adapter.ts';
import { clip } from '../report/clip.ts';
import type { Report } from '../report/schema.ts';
import type { Chose } from '../task/run.ts';
import type { BlockReason, Verdict } from '../task/schema.ts';
import { noBranch, type TreeChange } from '../workspace/tree.ts';
import type { StepEnd } from './step.ts';

/** What a step's end makes of it. `person`: somebody has to act before it can go on. */
export type StepOutcome =
  | { state: 'done'; summary: string; chose?: Chose }
  | { state: 'failed' | 'blocked'; reason: string }
  /** The run stops with it, and the step goes on when that is seen to. */
  | { state: 'held'; reason: BlockReason }
  | { state: 'stopped' };

/** Only these need a person, or time, and nothing else: the work itself is not to blame. */
const waits: ReadonlySet<string> = new Set(['limit', 'auth']);
const longest = 2000;

/** Every failure is that worker's own: what the others do goes on. */
export function outcomeOfAttempt(end: StepEnd): StepOutcome {
  switch (end.kind) {
    case 'stopped':
      return { state: 'stopped' };
    case 'silent':
      return { state: 'failed', reason: `it gave no valid report: ${clip(end.problem, longest)}` };
    case 'error': {
      const { class: kind, message, resetAt } = end.error;
      const until = resetAt === undefined ? '' : ` (until ${resetAt})`;
      const reason = clip(`${kind}: ${message}${until}`, longest);
      return { state: waits.has(kind) ? 'blocked' : 'failed', reason };
    }
    case 'report':
      return reported(end.report);
  }
}

function reported(report: Report): StepOutcome {
  switch (report.status) {
    case 'success':
      return { state: 'done', summary: report.summary };
    case 'blocked':
      return { state: 'blocked', reason: asked(report) };
    case 'failed':
      return { state: 'failed', reason: clip([report.summary, ...report.errors].join('\n'), longest) };
  }
}

/** The first question stands for all; the report has the others. */
function asked({ questions, summary }: Report): string {
  const [first] = questions;
  if (first === undefined) return clip(summary, longest);
  return clip(first, longest) + (questions.length > 1 ? ` (+${questions.length - 1} more)` : '');
}

const longestReason = 8000;

type Outcome = { kind: 'settle'; verdict: Verdict; summary: string } | { kind: 'requeue'; reason: string };

/**
 * What an attempt's end means for its task. The agent's word alone makes nothing done: what docket saw in the work tree
 * is heard first.
 */
export function outcomeForTask(end: StepEnd, seen: Seen): Outcome {
  if (end.kind === 'stopped') return { kind: 'requeue', reason: 'docket was interrupted' };
  const wrong = treeVerdict(seen);
  if (wrong) return { kind: 'settle', verdict: wrong, summary: '' };
  if (end.kind === 'error') return { kind: 'settle', verdict: errorVerdict(end.error), summary: '' };
  if (end.kind === 'silent') {
    const text = `the agent gave no report (${end.problem}); look at what it did, then requeue or cancel`;
    return settled({ kind: 'hold', reason: { kind: 'verify', text, who: 'a person' } }, '');
  }
  return settled(reportVerdict(end.report, seen), end.report.summary);
}

/** What docket itself saw. */
export interface Seen {
  readOnly: boolean;
  change: TreeChange | undefined;
  /** Where the report is kept. */
  evidence: string;
}

function treeVerdict({ readOnly, change }: Seen): Verdict | undefined {
  if (change?.gone) return hold('crash', goneText(change.gone));
  if (change?.switched) {
    const { from, to } = change.switched;
    const what = `the work tree was on ${from} and is on ${to} now: what was committed may be in the wrong place`;
    return hold('conflict', from !== noBranch ? `${what}; look at it, then: git switch ${from}` : what);
  }
  if (!readOnly || !change || change.paths.length === 0) return undefined;
  const some = change.paths.slice(0, 5).join(', ');
  return hold('scope', `an agent that may only read changed ${change.paths.length} files: ${some}`);
}

function goneText({ folder, branch, isThere }: NonNullable<TreeChange['gone']>): string {
  return isThere
    ? `${folder} is no git work tree any more: something took its .git away while the agent worked. Look at it, move what you need away, then try the task again`
    : `the folder it worked in is gone: ${folder} was deleted while the agent worked, and what it did there since went with it. Trying the task again makes the folder anew, from ${branch}`;
}

function errorVerdict(error: AgentError): Verdict {
  const { lastly } = policies[error.class];
  const text = `${error.class}: ${error.message}`.slice(0, 2000);
  if (lastly === 'fail') return { kind: 'fail', reason: text };
  const byItself = lastly === 'limit' && error.resetAt !== undefined;
  const reason: BlockReason = { kind: lastly, text, who: byItself ? 'docket' : 'a person' };
  if (error.resetAt !== undefined) reason.resumesAt = error.resetAt;
  return { kind: 'hold', reason };
}

function reportVerdict(report: Report, { evidence }: Seen): Verdict {
  switch (report.status) {
    case 'success':
      return { kind: 'pass', evidence: [evidence] };
    case 'blocked':
      return hold('gate', toldIn([report.summary, ...report.questions]));
    case 'failed':
      return { kind: 'fail', reason: toldIn([report.summary, ...report.errors]) };
  }
}

/** A person reads it, and a journal line has to hold it; the whole report is in the attempt's folder. */
function toldIn(lines: readonly string[]): string {
  return clip(lines.join('\n'), longestReason);
}

function hold(kind: BlockReason['kind'], text: string): Verdict {
  return { kind: 'hold', reason: { kind, text, who: 'a person' } };
}

function settled(verdict: Verdict, summary: string): Outcome {
  return { kind: 'settle', verdict, summary };
}

interface Policy {
  /** Attempts in all that may end with this class before the step gives up. */
  tries: number;
  /** The first pause; it doubles from try to try. */
  pauseMs: number;
  /** What the task becomes when the tries are used up: blocked for this reason, or failed. */
  lastly: BlockReason['kind'] | 'fail';
}

/** Retryable or not is a property of the class. What a person or time must mend blocks; the rest fails. */
export const policies: Readonly<Record<ErrorClass, Policy>> = {
  transient: { tries: 4, pauseMs: 2_000, lastly: 'provider' },
  limit: { tries: 1, pauseMs: 0, lastly: 'limit' },
  auth: { tries: 1, pauseMs: 0, lastly: 'auth' },
  'prompt-too-large': { tries: 2, pauseMs: 0, lastly: 'provider' },
  refused: { tries: 1, pauseMs: 0, lastly: 'refused' },
  tooling: { tries: 2, pauseMs: 1_000, lastly: 'setup' },
  timeout: { tries: 1, pauseMs: 0, lastly: 'fail' },
  stall: { tries: 2, pauseMs: 0, lastly: 'stall' },
  crashed: { tries: 3, pauseMs: 1_000, lastly: 'crash' },
  unknown: { tries: 2, pauseMs: 2_000, lastly: 'fail' },
};

const longestWaitMs = 60_000;

/** Milliseconds until the next try, or undefined: no more. Jitter, so that ten who fell together do not rise together. */
export function pauseBefore(
  error: AgentError,
  failures: number,
  now: number,
  random: () => number = Math.random,
): number | undefined {
  const { tries, pauseMs } = policies[error.class];
  if (failures >= tries) return undefined;
  const backoff = pauseMs * 2 ** (failures - 1) * (0.5 + random());
  const told = error.resetAt === undefined ? 0 : Date.parse(error.resetAt) - now;
  const pause = Math.max(backoff, told);
  return pause <= longestWaitMs ? pause : undefined;
}
