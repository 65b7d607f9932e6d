import * as v from 'valibot';
import { nonEmpty } from './parts.ts';
import type { Task } from './schema.ts';

const text = nonEmpty;

/**
 * Where finished work has gone. A task is done when its work is proved; whether the work reached the place that was asked
 * for is a fact of its own. `failed` is a person's turn.
 */
export const deliverySchema = v.variant('state', [
  v.strictObject({ state: v.literal('none') }),
  v.strictObject({ state: v.literal('committed'), branch: text, commit: text }),
  v.strictObject({ state: v.literal('pushed'), remote: text }),
  v.strictObject({ state: v.literal('proposed'), url: text }),
  v.strictObject({ state: v.literal('merged'), into: text, commit: text }),
  v.strictObject({
    state: v.literal('failed'),
    /** author: nobody vouches for its author, so nothing was pushed. proposal: it is pushed, and has no pull request. */
    cause: v.picklist(['author', 'push', 'proposal']),
    reason: text,
  }),
]);
export type Delivery = v.InferOutput<typeof deliverySchema>;
export type FailedDelivery = Extract<Delivery, { state: 'failed' }>;

/** Undefined: it is not done, or its work is where it was asked for. */
export function failedDelivery({
  status,
  delivery,
}: Pick<Task, 'status' | 'delivery'>): FailedDelivery | undefined {
  return status === 'done' && delivery?.state === 'failed' ? delivery : undefined;
}
