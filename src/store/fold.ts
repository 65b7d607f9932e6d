import { DocketError } from '../errors.ts';
import { command, fix } from '../errors/command.ts';
import type { Log } from '../layout/layout.ts';
import { isEventType } from '../task/event-types.ts';
import { evolve } from '../task/evolve.ts';
import type { Event, Task } from '../task/schema.ts';

/** The task after a fact, with what the log's format remembers of it. */
export function fold(before: Task | undefined, event: Event, log?: Log): Task {
  const shared = log?.shared;
  const from =
    before === undefined && shared && !makes(event) ? fold(undefined, shared.untold(event), log) : before;
  const task = evolve(from, event);
  if (task === undefined) throw impossible(event, from);
  if (!shared || event.type === 'task.carried') return task;
  const extras = { ...task.extras, [shared.memory]: { ...shared.remember(task, event) } };
  return Object.assign(task === from ? { ...task } : task, { extras });
}

function makes({ type }: Event): boolean {
  return type === 'task.created' || type === 'task.carried';
}

function impossible(event: Event, task: Task | undefined): DocketError {
  const data = { seq: event.seq, type: event.type, taskId: event.taskId };
  if (task || !isEventType(event.type))
    return new DocketError(
      'NEWER_FORMAT',
      `event ${event.seq} has the unknown type ${event.type}`,
      fix`update docket; "${command`version`}" shows which one this is`,
      data,
    );
  return new DocketError(
    'BAD_JOURNAL',
    `event ${event.seq} (${event.type}) is about task ${event.taskId}, which was never created`,
    'the journal is incomplete: restore it from a backup',
    data,
  );
}
