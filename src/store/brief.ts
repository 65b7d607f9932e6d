import type { Task } from '../task/schema.ts';
import { statuses, type Status } from '../task/status.ts';
import { failedDelivery } from '../task/undelivered.ts';

/** What is known of a task without looking into it. */
export interface Brief {
  id: string;
  status: Status;
  owned: boolean;
  removed: boolean;
  /** It is done, and its work did not get to where it was asked for. */
  undelivered: boolean;
  updatedAt: string;
}

const letters = 'qrvbdfc';
/** In the place of the letter of a task that is done; who does not know it parses the task. */
const undelivered = 'u';
const idStart = '{"id":"';

/** A task as a line of a checkpoint: three letters and a time, then its JSON, which nobody parses before it is asked for. */
export function lineOf(task: Task): string {
  const status = failedDelivery(task) ? undelivered : letters[statuses.indexOf(task.status)];
  const flags = `${task.owner === undefined ? '-' : 'o'}${task.removedAt === undefined ? '-' : 'x'}`;
  return `${status}${flags}${task.updatedAt} ${jsonWithIdFirst(task)}`;
}

/** The id must be found at a fixed place, in whatever order somebody made the object. */
function jsonWithIdFirst(task: Task): string {
  const json = JSON.stringify(task);
  if (json.startsWith(idStart)) return json;
  const { id, ...rest } = task;
  return JSON.stringify({ id, ...rest });
}

export function jsonOf(line: string): string {
  return line.slice(jsonStart(line));
}

export function idOf(line: string): string {
  const from = jsonStart(line) + idStart.length;
  return line.slice(from, line.indexOf('"', from));
}

/** Undefined: an older docket wrote the line, and it says nothing before its JSON. */
export function briefOf(id: string, line: string): Brief | undefined {
  const status = line[0] === undelivered ? 'done' : statuses[letters.indexOf(line[0] ?? '')];
  if (status === undefined) return undefined;
  return {
    id,
    status,
    owned: line[1] === 'o',
    removed: line[2] === 'x',
    undelivered: line[0] === undelivered,
    updatedAt: line.slice(3, jsonStart(line) - 1),
  };
}

function jsonStart(line: string): number {
  return line.startsWith('{') ? 0 : line.indexOf('{');
}
