import { looseReport, statusOf, textAt, wordsAsReport, type Loose } from './classify-fields.ts';
import { findReport, sameName } from './classify-find.ts';
import { classifyText, type Progress } from './classify-text.ts';
import { clip } from './clip.ts';
import type { Report } from './schema.ts';

export interface WorkerOutput {
  text: string;
  /** What the vendor handed over as JSON; then the text does not count. */
  structured?: unknown;
  exitCode?: number | null;
  stderr?: string;
  /** Somebody gave it in the place of a worker: then it has to be JSON. */
  simulated?: boolean;
}

export interface Dispatched {
  taskId: string;
  title?: string;
  agent: string;
  /** Other names under which the agent may report: its adapter, its model. */
  aliases?: readonly string[];
}

type OutputReason =
  | 'spawn_failed'
  | 'invalid_spawn_output'
  | 'done_with_evidence'
  | 'incomplete_output'
  | 'blocked_signal'
  | 'no_completion_signal';

export interface Classified {
  decision: Progress;
  reasonCode: OutputReason;
  /** One line for people, in the worker's words; '' where it has said nothing. */
  detail: string;
  /** Its status is `success` only where the decision is done. */
  report: Report;
  /** It came as an object with fields, not as words. */
  structured: boolean;
}

const longestDetail = 220;
const callFailed = ['blocked', 'failed', 'error', 'timeout', 'timed_out', 'cancelled', 'canceled'];
const decisions: readonly { words: readonly string[]; says: Progress }[] = [
  { words: ['done', 'completed', 'complete', 'success', 'succeeded', 'finished'], says: 'done' },
  { words: [...callFailed, 'failure'], says: 'blocked' },
  { words: ['progress', 'in_progress', 'partial', 'working', 'running', 'pending'], says: 'progress' },
];

/**
 * What a worker's output means for its task. `accepts` is the gate: why a report of done is not taken, or nothing.
 * The status of what a tool wrapped around a report is about the call; the report's own status is about the work.
 */
export function classify(
  output: WorkerOutput,
  dispatched: Dispatched,
  accepts: (report: Report) => string | undefined,
): Classified {
  const { text, stderr = '', exitCode = 0, simulated = false } = output;
  if (exitCode !== 0) return lost('spawn_failed', lastWords(stderr) ?? lastWords(text) ?? `exit ${exitCode}`);
  const found = findReport(output.structured ?? text, dispatched.taskId);
  if (simulated && !found.isJson) return lost('invalid_spawn_output', 'the output holds no JSON object');
  const failure = found.around.map(failedCall).find((why) => why !== undefined) ?? refused(found.report);
  if (failure !== undefined) return lost('spawn_failed', failure);
  const { report } = found;
  const foreign = report && foreignTo(report, dispatched);
  if (foreign !== undefined) return lost('invalid_spawn_output', foreign);
  const status = report && statusOf(report);
  const own = report
    ? looseReport(report, status === 'failed' || status === 'error' ? 'failed' : 'blocked')
    : wordsAsReport(found.text, 'blocked');
  const told = meaning(status);
  const says = told ?? classifyText(report ? own.summary : found.text, dispatched);
  const words = own.summary || [...own.questions, ...own.errors].join('; ');
  const answer = { detail: oneLine(words), report: own, structured: report !== undefined };
  if (says === 'blocked') return { decision: 'blocked', reasonCode: 'blocked_signal', ...answer };
  if (says === 'progress') {
    // A worker that has ended without a word about it is not at work any more.
    return { decision: told ?? 'blocked', reasonCode: 'no_completion_signal', ...answer };
  }
  const success: Report = { ...own, status: 'success' };
  const against = accepts(success);
  if (against === undefined)
    return { decision: 'done', reasonCode: 'done_with_evidence', ...answer, report: success };
  const detail = oneLine([own.summary, against].filter((part) => part !== '').join(' | '));
  return { decision: 'blocked', reasonCode: 'incomplete_output', ...answer, detail };
}

function meaning(status: string | undefined): Progress | undefined {
  return decisions.find(({ words }) => status !== undefined && words.includes(status))?.says;
}

function failedCall(wrapper: Loose): string | undefined {
  const status = statusOf(wrapper);
  if (status === undefined || !callFailed.includes(status)) return refused(wrapper);
  return (
    textAt(wrapper, 'error', 'message', 'summary', 'detail', 'result', 'output') ??
    `the call ended as ${status}`
  );
}

function refused(object: Loose | undefined): string | undefined {
  if (object?.['ok'] !== false) return undefined;
  return textAt(object, 'error', 'message', 'summary', 'detail') ?? 'the call says that it is not ok';
}

/** A worker that reports about something else has not reported about this. */
function foreignTo(report: Loose, { taskId, agent, aliases = [] }: Dispatched): string | undefined {
  const about = textAt(report, 'taskId', 'task_id');
  if (about !== undefined && !sameName(about, taskId))
    return `the report is about ${clip(about, 80)}, not about ${taskId}`;
  const by = textAt(report, 'agent');
  if (by === undefined || [agent, ...aliases].some((name) => sameName(by, name))) return undefined;
  return `the report is by ${clip(by, 80)}, not by ${agent}`;
}

function lost(reasonCode: 'spawn_failed' | 'invalid_spawn_output', why: string): Classified {
  const detail = oneLine(why);
  const report: Report = { ...wordsAsReport('', 'failed'), summary: detail, errors: [detail] };
  return { decision: 'blocked', reasonCode, detail, report, structured: false };
}

function oneLine(text: string): string {
  return clip(text.replaceAll(/\s+/g, ' ').trim(), longestDetail);
}

/** Errors stand at the end. */
function lastWords(text: string): string | undefined {
  const end = text
    .trimEnd()
    .slice(-longestDetail)
    .replace(/^[\udc00-\udfff]/, '')
    .trim();
  return end === '' ? undefined : end;
}
