import { clip } from '../report/clip.ts';
import type { Report } from '../report/schema.ts';
import type { Chose } from '../task/run.ts';
import type { BlockReason } from '../task/schema.ts';
import type { StepEnd } from './step.ts';

/** What a step's end makes of it. `person`: somebody has to act before it can go on. */
export type Fate =
  | { state: 'done'; summary: string; chose?: Chose }
  | { state: 'failed' | 'blocked'; reason: string }
  /** The run stops with it, and the step goes on when that is seen to. */
  | { state: 'held'; reason: BlockReason }
  | { state: 'stopped' };

/** Only these need a person, or time, and nothing else: the work itself is not to blame. */
const waits: ReadonlySet<string> = new Set(['limit', 'auth']);
const longest = 2000;

/** Every failure is that worker's own: what the others do goes on. */
export function fateOf(end: StepEnd): Fate {
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

function reported(report: Report): Fate {
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
