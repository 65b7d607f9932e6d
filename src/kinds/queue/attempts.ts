import { makeOwnFolder } from '../../io/own-folder.ts';
import type { Task } from '../../task/schema.ts';
import type { TaskRun } from './task-run.ts';

/** The folder below which each step of a task has its attempts. */
export function attemptsOf({ places }: TaskRun, { id }: Task): string {
  return makeOwnFolder(places.dir, 'attempts', id);
}
