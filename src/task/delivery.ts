import { z } from 'zod';

const text = z.string().min(1);

/**
 * Where finished work has gone. A task is done when its work is proved; whether the work reached the place that was asked
 * for is a fact of its own. `failed` is a person's turn.
 */
export const deliverySchema = z.discriminatedUnion('state', [
  z.strictObject({ state: z.literal('none') }),
  z.strictObject({ state: z.literal('committed'), branch: text, commit: text }),
  z.strictObject({ state: z.literal('pushed'), remote: text }),
  z.strictObject({ state: z.literal('proposed'), url: text }),
  z.strictObject({ state: z.literal('merged'), into: text, commit: text }),
  z.strictObject({
    state: z.literal('failed'),
    /** author: nobody vouches for its author, so nothing was pushed. proposal: it is pushed, and has no pull request. */
    cause: z.enum(['author', 'push', 'proposal']),
    reason: text,
  }),
]);
export type Delivery = z.infer<typeof deliverySchema>;
export type FailedDelivery = Extract<Delivery, { state: 'failed' }>;
