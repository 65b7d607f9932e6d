import type { Command } from './command.ts';
import { refusal, type Refusal, type RefusalCode } from './refusal.ts';
import type { NewEvent, Task } from './schema.ts';

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
