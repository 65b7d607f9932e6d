/** The files of a task directory, for who describes answers in which they stand. */
export { eventSchema as logLineSchema } from './format/file-schemas.ts';
export { taskSchema as directorySchema } from './format/task-file.ts';
