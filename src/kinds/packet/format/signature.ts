import { createHash } from 'node:crypto';
import type { StageFacts, TriageClass } from './facts.ts';

type Rule = readonly [pattern: RegExp, word: string];

/** What differs from run to run although the error is the same. These are the format's own. */
const common: readonly Rule[] = [
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?/g, 'TIMESTAMP'],
  [/\b\d{10,13}\b/g, 'EPOCH'],
  [/\b\d{8}-\d{3,}\b/g, 'TASK_ID'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'UUID'],
  [/\.tmp\/task\/[^/\s]+/g, '.tmp/task/TASK'],
  [/(?:sk-|ghp_|Bearer )[A-Za-z0-9_.-]{10,}/g, 'REDACTED_TOKEN'],
];
/** What we add: the same error of another line, process or request is the same error. */
const ours: readonly Rule[] = [
  ...common.slice(0, 1),
  [/\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b/g, 'TIME'],
  [/\b[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}\b/g, 'UUID'],
  [/\b(?:req|resp|msg|call|thread|run|session)_[A-Za-z0-9]{8,}/g, 'REQUEST'],
  [/\b0x[0-9A-Fa-f]+\b/g, 'ADDRESS'],
  [/:\d+(?::\d+)?\b/g, ':LINE'],
  [/\b(pid|port|attempt|line|column)[ =]\d+(?:\/\d+)?/gi, '$1 N'],
  [/\b\d+(?:\.\d+)? ?(?:ms|s|sec|secs|seconds|minutes)\b/g, 'DURATION'],
  ...common.slice(1),
];

/** The signature of the original tool: by stderr alone, so that all silent failures share one. */
export function plainSignature(stderr: string): string {
  const head = stderr.split('\n').slice(0, 100).join('\n');
  return signed(normal(head, common).slice(0, 500).trim());
}

/** Two failures are the same when class, stage, tool, gate reasons and the end of stderr are. */
export function signatureOf(failure: {
  class: TriageClass;
  stage: string;
  tool: string;
  tail: readonly string[];
  reasons: readonly string[];
}): string {
  const { class: kind, stage, tool, tail, reasons } = failure;
  const alike = (lines: readonly string[]) => lines.map((line) => normal(line.slice(0, 1000), ours).trim());
  return signed(JSON.stringify([kind, stage, tool, alike(tail.slice(-20)), alike(reasons)]));
}

/** The same for a stage that failed: what its tries are counted and compared by. */
export function ownSignature({
  stage,
  tool,
  err,
  gate,
  failure,
}: Pick<StageFacts, 'stage' | 'tool' | 'err' | 'gate'> & { failure: { class: TriageClass } }): string {
  return signatureOf({ class: failure.class, stage, tool, tail: err.tail, reasons: gate.reasons });
}

function normal(text: string, rules: readonly Rule[]): string {
  return rules.reduce((changed, [pattern, word]) => changed.replace(pattern, word), text);
}

function signed(text: string): string {
  return `sig:${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}
