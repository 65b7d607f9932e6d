import type { AgentError } from '../adapters/adapter.ts';
import { clip } from '../report/clip.ts';
import type { Report } from '../report/schema.ts';
import type { BlockReason, Verdict } from '../task/schema.ts';
import { noBranch, type TreeChange } from '../workspace/tree.ts';
import { policies } from './retry.ts';
import type { StepEnd } from './step.ts';

const longestReason = 8000;

export type Outcome =
  | { kind: 'settle'; verdict: Verdict; summary: string }
  | { kind: 'requeue'; reason: string };

/**
 * What an attempt's end means for its task. The agent's word alone makes nothing done: what docket saw in the work tree
 * is heard first.
 */
export function outcomeOf(end: StepEnd, seen: Seen): Outcome {
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
