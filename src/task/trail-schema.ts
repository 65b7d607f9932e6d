/** How the steps of a run ended, as far as it takes to see that it turns in circles. Of contents there are hashes only. */
import * as v from 'valibot';
import { count } from './parts.ts';

const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{8,64}$/));

/** What the end of a step is compared by. */
export const markSchema = v.strictObject({
  /** The contents of the work tree after it. */
  tree: v.exactOptional(hash),
  /** They are others than before, by what this step did. */
  changed: v.exactOptional(v.literal(true)),
  /** What it said or found, where that is what it was to deliver. */
  said: v.exactOptional(hash),
  /** Others were to act on what it said. */
  finding: v.exactOptional(v.literal(true)),
});
export type Mark = v.InferOutput<typeof markSchema>;

export const endSchema = v.strictObject({
  ...markSchema.entries,
  at: v.pipe(v.string(), v.isoTimestamp()),
  /** The node of the workflow, or the step itself where there is none. Absent: docket died at work on the task. */
  node: v.exactOptional(v.string()),
  /** How many calls it had come to when docket died. */
  calls: v.exactOptional(count),
  step: v.exactOptional(v.string()),
  /** The rule that it chose. */
  rule: v.exactOptional(count),
});
export type End = v.InferOutput<typeof endSchema>;
