/** How the steps of a run ended, as far as it takes to see that it turns in circles. Of contents there are hashes only. */
import { z } from 'zod';

const hash = z.string().regex(/^[0-9a-f]{8,64}$/);

/** What the end of a step is compared by. */
export const markSchema = z.strictObject({
  /** The contents of the work tree after it. */
  tree: hash.exactOptional(),
  /** They are others than before, by what this step did. */
  changed: z.literal(true).exactOptional(),
  /** What it said or found, where that is what it was to deliver. */
  said: hash.exactOptional(),
  /** Others were to act on what it said. */
  finding: z.literal(true).exactOptional(),
});
export type Mark = z.infer<typeof markSchema>;

export const endSchema = markSchema.extend({
  at: z.iso.datetime({ offset: true }),
  /** The node of the workflow, or the step itself where there is none. Absent: docket died at work on the task. */
  node: z.string().exactOptional(),
  /** How many calls it had come to when docket died. */
  calls: z.int().nonnegative().exactOptional(),
  step: z.string().exactOptional(),
  /** The rule that it chose. */
  rule: z.int().nonnegative().exactOptional(),
});
export type End = z.infer<typeof endSchema>;
