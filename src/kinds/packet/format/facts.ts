import * as v from 'valibot';
import { objectOf, type Fields } from '../../../task/json.ts';

/** A time as the files of a packet have it: UTC, whole seconds. */
export function seconds(at: string): string {
  const ms = Date.parse(at);
  return `${new Date(Number.isNaN(ms) ? 0 : ms).toISOString().slice(0, 19)}Z`;
}

/** Of an error: what `signatureOf` makes. */
export const signaturePattern = /^sig:[0-9a-f]{16}$/;
export const triageClasses = [
  'scope_violation',
  'contract_violation',
  'tooling',
  'transient',
  'prompt_too_large',
  'auth',
  'limit',
  'timeout',
  'budget',
  'unknown',
] as const;
export type TriageClass = (typeof triageClasses)[number];

const count = v.pipe(v.number(), v.finite());
const time = v.pipe(
  v.string(),
  v.check((at) => !Number.isNaN(Date.parse(at))),
);
const lines = v.array(v.string());

/** What the last attempt of a stage came to: the source of meta.json, gate results, last_failure.json and the summary. */
const factsSchema = v.object({
  stage: v.string(),
  /** Who did it: the stage's own tool, or who stood in. */
  tool: v.string(),
  role: v.string(),
  model: v.exactOptional(v.string()),
  /** The agent's; 124 for a timeout, 127 for a program that is not there, -1 where nobody knows. */
  exit_code: count,
  start: time,
  end: time,
  duration_sec: count,
  prompt_sha256: v.string(),
  gate: v.object({
    result: v.picklist(['pass', 'contract_violation', 'scope_violation']),
    reasons: lines,
  }),
  /** Absent when it went well. */
  failure: v.exactOptional(
    v.object({
      class: v.picklist(triageClasses),
      signature: v.pipe(v.string(), v.regex(signaturePattern)),
      actions: lines,
    }),
  ),
  err: v.object({ lines: count, head: lines, tail: lines }),
  out: v.object({ lines: count }),
  /** What the first acceptance command that failed printed, and the file that has it all. */
  commands: v.exactOptional(v.object({ file: v.string(), lines: count, tail: lines })),
  /** Another tool did it, and marked it as done at this time; docket ran and judged nothing. */
  other: v.exactOptional(time),
  /** What was undone because it was out of scope: paths, and the patch that keeps them. */
  undone: v.exactOptional(v.object({ paths: lines, patch: v.string() })),
});
export type StageFacts = v.InferOutput<typeof factsSchema>;

/** The facts in a step's report. They are docket's own, but a journal outlives the docket that wrote it. */
export function factsIn(report: Fields | undefined): StageFacts | undefined {
  const { stage } = objectOf(report?.['artifacts']);
  return v.is(factsSchema, stage) ? stage : undefined;
}
