import { failedDelivery } from '../task/delivery.ts';
import type { Task } from '../task/schema.ts';
import { type Status, statuses } from '../task/status.ts';

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

function jsonOf(line: string): string {
  return line.slice(jsonStart(line));
}

function idOf(line: string): string {
  const from = jsonStart(line) + idStart.length;
  return line.slice(from, line.indexOf('"', from));
}

/** Undefined: an older docket wrote the line, and it says nothing before its JSON. */
function briefOf(id: string, line: string): Brief | undefined {
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

/** The tasks of a checkpoint as the bytes of their lines. Nothing of a line is looked at before somebody asks for it. */
export class Shelf {
  readonly ids: readonly string[];
  /** So many of them, from the first, are active; the lines of those that somebody works on come before the others. */
  readonly active: number;
  readonly #body: Buffer;
  readonly #sizes: readonly number[];
  #starts: Float64Array | undefined;

  /** `ids` and `sizes` are what the header says of the lines; an older docket said nothing, and they are counted. */
  constructor(body: Buffer, active: number, ids?: readonly string[], sizes?: readonly number[]) {
    this.#body = body;
    this.active = active;
    const lines = ids && sizes ? undefined : linesOf(body);
    this.#sizes = sizes ?? lines?.map((line) => Buffer.byteLength(line)) ?? [];
    this.ids = ids ?? lines?.map(idOf) ?? [];
  }

  line(index: number): string {
    this.#starts ??= startsOf(this.#sizes);
    const start = this.#starts[index] ?? 0;
    return this.#body.toString('utf8', start, start + (this.#sizes[index] ?? 0));
  }

  json(index: number): string {
    return jsonOf(this.line(index));
  }

  /** Undefined: the line says nothing before its JSON. */
  brief(index: number): Brief | undefined {
    this.#starts ??= startsOf(this.#sizes);
    const start = this.#starts[index] ?? 0;
    // The time that stands before the JSON is never longer than this.
    const head = this.#body.toString('latin1', start, start + Math.min(48, this.#sizes[index] ?? 0));
    return briefOf(this.ids[index] ?? '', head);
  }
}

function startsOf(sizes: readonly number[]): Float64Array {
  const starts = new Float64Array(sizes.length);
  let at = 0;
  for (let index = 0; index < sizes.length; index += 1) {
    starts[index] = at;
    at += (sizes[index] ?? 0) + 1;
  }
  return starts;
}

function linesOf(body: Buffer): string[] {
  return body.length === 0 ? [] : body.toString('utf8').split('\n');
}
