import { failedDelivery } from '../task/delivery.ts';
import type { Task } from '../task/schema.ts';
import { type Status, statuses } from '../task/status.ts';
import type { Tally } from './overview.ts';

/** What is known of a task without looking into it. */
export interface Brief {
  id: string;
  status: Status;
  owned: boolean;
  removed: boolean;
  archived: boolean;
  /** It is done, and its work did not get to where it was asked for. */
  undelivered: boolean;
  updatedAt: string;
}

const letters = 'qrvbdfc';
/** In the place of the letter of a task that is done; who does not know it parses the task. */
const undelivered = 'u';
const idStart = '{"id":"';

export function briefOf(task: Task): Brief {
  const { id, status, owner, removedAt, archivedAt, updatedAt } = task;
  return {
    id,
    status,
    owned: owner !== undefined,
    removed: removedAt !== undefined,
    archived: archivedAt !== undefined,
    undelivered: failedDelivery(task) !== undefined,
    updatedAt,
  };
}

/** A task as a line of a checkpoint: three letters and a time, then its JSON, which nobody parses before it is asked for. */
export function lineOf(task: Task): string {
  const { status, owned, removed, archived, ...brief } = briefOf(task);
  const first = brief.undelivered ? undelivered : letters[statuses.indexOf(status)];
  const flags = `${owned ? 'o' : '-'}${removed ? 'x' : archived ? 'a' : '-'}`;
  return `${first}${flags}${brief.updatedAt} ${jsonWithIdFirst(task)}`;
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

function jsonStart(line: string): number {
  return line.startsWith('{') ? 0 : line.indexOf('{');
}

/** What the header of a checkpoint says of its lines. An older docket said only which are active. */
export interface ShelfFacts {
  /** So many lines, from the first, are of active tasks; those that somebody works on come before the others. */
  active: number;
  ids?: readonly string[];
  sizes?: readonly number[];
  tally?: Tally;
  /** So many lines, from the first, are what an overview shows. */
  hot?: number;
}

const space = 0x20;

/** The tasks of a checkpoint as the bytes of their lines. Nothing of a line is looked at before somebody asks for it. */
export class Shelf {
  readonly ids: readonly string[];
  readonly active: number;
  readonly tally: Tally | undefined;
  readonly hot: number;
  readonly #first: Buffer;
  readonly #readRest: (() => Buffer) | undefined;
  #rest: Buffer | undefined;
  readonly #sizes: readonly number[];
  #starts: Float64Array | undefined;

  /** `readRest`: `first` has only what an overview shows; the rest is read when somebody asks for it. */
  constructor({ active, ids, sizes, tally, hot = 0 }: ShelfFacts, first: Buffer, readRest?: () => Buffer) {
    this.#first = first;
    this.#readRest = readRest;
    this.active = active;
    this.tally = tally;
    this.hot = hot;
    const lines = ids && sizes ? undefined : linesOf(first);
    this.#sizes = sizes ?? lines?.map((line) => Buffer.byteLength(line)) ?? [];
    this.ids = ids ?? lines?.map(idOf) ?? [];
  }

  line(index: number): string {
    const { bytes, start, end } = this.#find(index);
    return bytes.toString('utf8', start, end);
  }

  json(index: number): string {
    return jsonOf(this.line(index));
  }

  /** Undefined: an older docket wrote the line, and it says nothing before its JSON. */
  brief(index: number): Brief | undefined {
    const { bytes, start } = this.#find(index);
    const [first, owner, end] = [
      letterAt(bytes, start),
      letterAt(bytes, start + 1),
      letterAt(bytes, start + 2),
    ];
    const status = first === undelivered ? 'done' : statuses[letters.indexOf(first)];
    if (status === undefined) return undefined;
    return {
      id: this.ids[index] ?? '',
      status,
      owned: owner === 'o',
      removed: end === 'x',
      archived: end === 'a',
      undelivered: first === undelivered,
      updatedAt: bytes.toString('latin1', start + 3, bytes.indexOf(space, start)),
    };
  }

  #find(index: number): { bytes: Buffer; start: number; end: number } {
    this.#starts ??= startsOf(this.#sizes);
    const start = this.#starts[index] ?? 0;
    const end = start + (this.#sizes[index] ?? 0);
    if (!this.#readRest || end <= this.#first.length) return { bytes: this.#first, start, end };
    this.#rest ??= this.#readRest();
    const { length } = this.#first;
    return { bytes: this.#rest, start: start - length, end: end - length };
  }
}

function letterAt(bytes: Buffer, at: number): string {
  return String.fromCharCode(bytes[at] ?? 0);
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
