/** From one task to another, in whichever layout that is: what is done for whom, and by whom. */
import { z } from 'zod';

const layouts = ['queue', 'task', 'packet', 'board'] as const;

/** Packets have dots in their names; no id is a path. */
const id = z.string().regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/);

const linkSchema = z.strictObject({
  layout: z.enum(layouts),
  id,
  /** The step of it that is meant. */
  step: z.string().min(1).max(128).exactOptional(),
});
export type Link = z.infer<typeof linkSchema>;

/** The task that does this one's work. */
const heardSchema = linkSchema.extend({
  /** The revision of it that this task has heard of last, and what that made of this one. */
  rev: z.int().positive().exactOptional(),
  as: z.enum(['held', 'blocked', 'free', 'done']).exactOptional(),
});
export type Heard = z.infer<typeof heardSchema>;

export const linkFields = {
  /** Its result is that task's, or that step's. */
  standsFor: linkSchema.exactOptional(),
  doneBy: heardSchema.exactOptional(),
};
