import { allowedNext } from './allowed.ts';
import type { CommandType } from './command.ts';
import type { Task } from './schema.ts';

/** A refusal is an answer, not an exception: what was wrong, and what is possible instead. */
export type RefusalCode =
  | 'exists' // the id is taken
  | 'not-found'
  | 'illegal' // the lifecycle has no such edge from here
  | 'held' // somebody else holds a living claim
  | 'fenced' // the sender's claim was superseded
  | 'cycle' // the dependencies would wait for each other
  | 'unknown-need'
  | 'invalid'; // the command makes no sense by itself

export interface Refusal {
  code: RefusalCode;
  message: string;
  allowed: readonly CommandType[];
  data: Record<string, unknown>;
}

export function refusal(
  code: RefusalCode,
  task: Task | undefined,
  message: string,
  data: Record<string, unknown> = {},
): Refusal {
  return { code, message, allowed: allowedNext(task), data };
}
