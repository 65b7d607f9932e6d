import type { Command } from '../task/command.ts';
import { decide } from '../task/decide.ts';
import { evolve } from '../task/evolve.ts';
import type { Refusal } from '../task/refusal.ts';
import type { Event, NewEvent, Task } from '../task/schema.ts';
import type { Commit, TaskIndex } from './store.ts';

interface With {
  /** The same key never commits twice; whoever has one asks about it first, because the tasks are others by then. */
  key?: string | undefined;
  /** Lines of the log beside the facts. */
  notes?: readonly NewEvent[];
}

/** The facts that were written down, or why none was. */
type Together = { ok: true; events: Event[] } | ({ ok: false } & Pick<Refusal, 'code' | 'message'>);

/**
 * Commands about any tasks as one transaction, for who holds the lock: all of them happen, or none and the reason is
 * the answer. Each is decided on what the ones before it would make of the tasks.
 */
export function applyTogether(
  tasks: TaskIndex,
  commands: readonly Command[],
  now: string,
  commit: Commit,
  { key, notes = [] }: With = {},
): Together {
  const after = new Map<string, Task | undefined>();
  const get = (id: string) => after.get(id) ?? tasks.get(id);
  const events: NewEvent[] = [];
  for (const command of commands) {
    const decision = decide({ get }, command, now);
    if (!decision.ok) return { ok: false, ...decision.refusal };
    const long = decision.events.find((event) => !tasks.fits(event));
    if (long) return { ok: false, code: 'invalid', message: tooLong(command.id) };
    for (const made of decision.events) {
      events.push(made);
      const event: Event = { ...made, v: 1, seq: tasks.seq + events.length, at: now };
      after.set(made.taskId, evolve(get(made.taskId), event));
    }
  }
  const long = notes.find((note) => !tasks.fits(note));
  if (long) return { ok: false, code: 'invalid', message: tooLong(long.taskId) };
  events.push(...notes);
  if (events.length === 0) return { ok: true, events: [] };
  const done = commit({ events, expect: {}, ...(key !== undefined && { key }) });
  return { ok: true, events: done.kind === 'committed' ? done.events : [] };
}

function tooLong(id: string): string {
  return `the text of task ${id} is too long to be kept here: move it into a file`;
}
