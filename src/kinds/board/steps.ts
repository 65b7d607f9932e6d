import { type Locale, wordsOf } from '../../render/board/words.ts';
import type { Classified } from '../../report/classify.ts';
import type { Report } from '../../report/schema.ts';

/** What was seen of a worker at its end, for who wants to know more than what came of it. */
export interface WorkerSeen {
  reasonCode: Classified['reasonCode'];
  /** Its program; the prompt does not stand on its command line. */
  command: readonly string[];
  /** Its last words, whole. */
  stdout: string;
  stderr: string;
  /** What it handed over as JSON. */
  result?: unknown;
  report: Report;
  /** The report came as an object with fields, not as words. */
  structured: boolean;
  /** What it was given: its prompt, and the status of its task at that time. */
  sent?: { prompt: string; status: string };
  /** It was asked once more; this is what counted of the two. */
  retried?: true;
}

/** What came of a task that docket gave to a worker of its own. */
export interface SpawnStep {
  taskId: string;
  agent: string;
  /** stopped: docket was told to end, and it goes on later. lost: somebody else decided about the task meanwhile. */
  decision: 'done' | 'blocked' | 'stopped' | 'lost';
  /** One line for people: the result, or why it is blocked. */
  detail: string;
  /** Absent where nobody saw it end. */
  worker?: WorkerSeen;
}

/** What a pass of the autopilot did. */
export interface AutopilotRan {
  maxSteps: number;
  steps: readonly SpawnStep[];
  stopReason: 'no_runnable_task' | 'max_steps_reached' | 'stopped';
}

/** Why a worker's task is blocked, as a sentence: the worker's own words, or what is missing in them. Never a code alone. */
export function workerReason(
  { reasonCode, detail }: Pick<Classified, 'reasonCode' | 'detail'>,
  locale: Locale,
): string {
  if (reasonCode === 'done_with_evidence') return detail;
  const sentence = wordsOf(locale).workerEnded[reasonCode];
  if (detail === '') return sentence;
  return reasonCode === 'no_completion_signal' ? `${detail} | ${sentence}` : detail;
}
