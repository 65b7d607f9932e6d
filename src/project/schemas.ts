/**
 * The schemas of what tasks are made of, for who describes answers in which they stand. No command
 * needs this file before it prints.
 */
export { eventSchema as logLineSchema } from '../kinds/directory/format/file-schemas.ts';
export { taskSchema as directorySchema } from '../kinds/directory/format/task-file.ts';
export { attemptSchema } from '../task/attempt.ts';
export { units } from '../task/caps.ts';
export { deliverySchema } from '../task/delivery.ts';
export { runSchema } from '../task/run.ts';
export { blockKinds, taskSchema } from '../task/schema.ts';
