/** How long somebody has a task: as long as a process lives, or until a time. */
import * as v from 'valibot';
import { positive, time } from './parts.ts';

const processLease = v.strictObject({
  kind: v.literal('process'),
  host: v.string(),
  pid: positive,
  /** Start time and boot id tell a reused pid from the process that claimed. */
  startTime: v.string(),
  bootId: v.string(),
});
export const termLease = v.strictObject({ kind: v.literal('term'), until: time });
export const leaseSchema = v.variant('kind', [processLease, termLease]);
export type Lease = v.InferOutput<typeof leaseSchema>;
export type ProcessLease = v.InferOutput<typeof processLease>;
export type TermLease = v.InferOutput<typeof termLease>;
