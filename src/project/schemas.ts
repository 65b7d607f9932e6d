/**
 * The schemas of what tasks are made of, for who describes answers in which they stand. No command
 * needs this file before it prints.
 */
export { directorySchema, logLineSchema } from '../kinds/directory/schemas.ts';
export { attemptSchema } from '../task/attempt.ts';
export { units } from '../task/caps.ts';
export { deliverySchema } from '../task/delivery.ts';
export { runSchema } from '../task/run.ts';
export { blockKinds, taskSchema } from '../task/schema.ts';
