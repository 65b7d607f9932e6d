import { allowedNext } from './allowed.ts';
import type { Command, CommandType } from './command.ts';
import type { NewEvent, Task } from './schema.ts';

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

function refusal(
  code: RefusalCode,
  task: Task | undefined,
  message: string,
  data: Record<string, unknown> = {},
): Refusal {
  return { code, message, allowed: allowedNext(task), data };
}

export type Decision = { ok: true; events: NewEvent[] } | { ok: false; refusal: Refusal };

export function yes(task: Task, command: Command, event: Pick<NewEvent, 'type' | 'data'>): Decision {
  return { ok: true, events: [{ ...event, taskId: task.id, by: command.by } as NewEvent] };
}

export function no(
  code: RefusalCode,
  task: Task | undefined,
  message: string,
  data: Record<string, unknown>,
): Decision {
  return { ok: false, refusal: refusal(code, task, message, data) };
}

export function illegal(task: Task, word: string): Decision {
  return no('illegal', task, `task ${task.id} is ${task.status}: it cannot be ${word} now`, {
    status: task.status,
  });
}
