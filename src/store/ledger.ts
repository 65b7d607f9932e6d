import { DocketError } from '../errors.ts';
import type { Log } from '../layout/layout.ts';
import { isEventType } from '../task/event-types.ts';
import { evolve } from '../task/evolve.ts';
import { compareIds } from '../task/id.ts';
import type { TaskView } from '../task/needs.ts';
import type { Event, NewEvent, Task } from '../task/schema.ts';
import { isActive } from '../task/status.ts';
import type { ListQuery, Outcome, Tx } from './backend.ts';

/** How many idempotency keys are remembered. Retries come within minutes; this is days of keyed commands. */
const keyLimit = 10_000;

/**
 * The state of one store in memory: the fold of its journal. A finished task may be held as the JSON text it has
 * in the snapshot until somebody asks for it, so that history costs a map entry and no more.
 */
export class Ledger implements TaskView {
  seq = 0;
  /** Ids with events after `#touchedFrom`. */
  readonly #touched = new Set<string>();
  #touchedFrom = 0;
  readonly #tasks = new Map<string, Task | string>();
  readonly #active = new Map<string, Task>();
  readonly #keys = new Map<string, number>();
  readonly #log: Log | undefined;

  /** `log`: the journal's own format, which may want to read more than the facts. */
  constructor(log?: Log) {
    this.#log = log;
  }

  get size(): number {
    return this.#tasks.size;
  }

  get(id: string): Task | undefined {
    const found = this.#tasks.get(id);
    if (typeof found !== 'string') return found;
    const task = JSON.parse(found) as Task;
    this.#tasks.set(id, task);
    return task;
  }

  active(): Iterable<Task> {
    return this.#active.values();
  }

  /** In the order of their ids, which is that of their making: a snapshot keeps tasks in another one. */
  list(query: ListQuery = {}): Task[] {
    const { status, removed } = query;
    const onlyActive = status !== undefined && status.every(isActive);
    const tasks: Task[] = [];
    for (const id of sorted(onlyActive ? this.#active : this.#tasks)) {
      const task = this.get(id);
      if (task === undefined || (task.removedAt !== undefined && !removed)) continue;
      if (status === undefined || status.includes(task.status)) tasks.push(task);
    }
    return tasks;
  }

  /** The same as JSON texts: what was never looked into is handed on as it came. */
  listTexts(query: ListQuery = {}): string[] {
    if (query.status !== undefined || query.removed)
      return this.list(query).map((task) => JSON.stringify(task));
    const texts: string[] = [];
    for (const id of sorted(this.#tasks)) {
      const held = this.#tasks.get(id);
      // A removed task's text has this key. So may a text in which somebody else used the word: that one is parsed.
      const task = typeof held === 'string' && held.includes('"removedAt":') ? this.get(id) : held;
      if (typeof task === 'string') texts.push(task);
      else if (task?.removedAt === undefined) texts.push(JSON.stringify(task));
    }
    return texts;
  }

  /** Takes in a fact that is already in the journal. */
  apply(event: Event): void {
    if (event.type === 'note' && !this.#tasks.has(event.taskId)) this.seq = event.seq;
    else this.#take(event, fold(this.get(event.taskId), event));
  }

  #take(event: Event, task: Task): void {
    this.put(task);
    this.seq = event.seq;
    this.#touched.add(task.id);
    if (event.key !== undefined) this.#remember(event.key, event.seq);
  }

  /** Checks a transaction against the state of this moment and, if it holds, makes its events facts. */
  commit(tx: Tx, at: string): Outcome {
    const refused = this.#check(tx);
    if (refused) return refused;
    // All are folded before the first is taken in: one that cannot be must leave nothing of the others behind.
    const after = new Map<string, Task>();
    const folded = (event: Event): Task => {
      const task = fold(after.get(event.taskId) ?? this.get(event.taskId), event);
      after.set(task.id, task);
      return task;
    };
    const events = this.#stamped(tx, tx.events, at);
    const tasks = events.map(folded);
    const notes = this.#notesOn(tx.events, after);
    if (notes.length > 0) {
      const all = this.#stamped(tx, [...tx.events, ...notes], at);
      tasks.push(...all.slice(events.length).map(folded));
      events.splice(0, Infinity, ...all);
    }
    for (const [index, event] of events.entries()) this.#take(event, tasks[index] as Task);
    return { kind: 'committed', events };
  }

  #stamped(tx: Tx, events: readonly NewEvent[], at: string): Event[] {
    return events.map((event, index): Event => {
      const more = events.length - index - 1;
      return {
        v: 1,
        seq: this.seq + index + 1,
        at,
        ...event,
        ...(index === 0 && tx.key !== undefined && { key: tx.key }),
        ...(more > 0 && { more }),
      };
    });
  }

  #notesOn(facts: readonly NewEvent[], after: ReadonlyMap<string, Task>): NewEvent[] {
    const log = this.#log;
    if (!log) return [];
    return [...after].flatMap(([id, task]) => {
      const about = facts.filter(({ taskId }) => taskId === id);
      return log.notes(this.get(id), task, about);
    });
  }

  #check(tx: Tx): Outcome | undefined {
    const before = tx.key === undefined ? undefined : this.#keys.get(tx.key);
    if (before !== undefined) return { kind: 'duplicate', seq: before };
    for (const [id, expected] of Object.entries(tx.expect)) {
      const actual = this.get(id)?.rev ?? 0;
      if (actual !== expected) return { kind: 'conflict', id, expected, actual };
    }
    for (const [id, token] of Object.entries(tx.tokens ?? {})) {
      const task = this.get(id);
      const current = task && 'token' in task ? task.token : undefined;
      if (current !== token) return { kind: 'fenced', id, token, current };
    }
    return undefined;
  }

  /** The tasks that changed after this seq; undefined when that is further back than we remember. */
  touchedSince(seq: number): Task[] | undefined {
    if (seq < this.#touchedFrom) return undefined;
    return [...this.#touched].flatMap((id) => this.get(id) ?? []).filter((task) => task.rev > seq);
  }

  forgetTouched(): void {
    this.#touched.clear();
    this.#touchedFrom = this.seq;
  }

  put(task: Task): void {
    this.#tasks.set(task.id, task);
    if (isActive(task.status)) this.#active.set(task.id, task);
    else this.#active.delete(task.id);
  }

  /** A finished task as its JSON text, not looked into. */
  putText(id: string, text: string): void {
    this.#tasks.set(id, text);
  }

  /** Every finished task as JSON text; what was never looked into is handed on as it came. */
  *finishedTexts(): Iterable<string> {
    for (const [id, task] of this.#tasks) {
      if (typeof task === 'string') yield task;
      else if (!this.#active.has(id)) yield JSON.stringify(task);
    }
  }

  keys(): [string, number][] {
    return [...this.#keys];
  }

  restoreKeys(keys: Iterable<[string, number]>): void {
    for (const [key, seq] of keys) this.#remember(key, seq);
  }

  #remember(key: string, seq: number): void {
    this.#keys.set(key, seq);
    if (this.#keys.size <= keyLimit) return;
    const oldest = this.#keys.keys().next();
    if (!oldest.done) this.#keys.delete(oldest.value);
  }
}

function sorted(tasks: ReadonlyMap<string, unknown>): string[] {
  return [...tasks.keys()].toSorted(compareIds);
}

function fold(before: Task | undefined, event: Event): Task {
  const task = evolve(before, event);
  if (task === undefined) throw impossible(event, before);
  return task;
}

function impossible(event: Event, task: Task | undefined): DocketError {
  const data = { seq: event.seq, type: event.type, taskId: event.taskId };
  if (task || !isEventType(event.type))
    return new DocketError(
      'NEWER_FORMAT',
      `event ${event.seq} has the unknown type ${event.type}`,
      'update docket',
      data,
    );
  return new DocketError(
    'BAD_JOURNAL',
    `event ${event.seq} (${event.type}) is about task ${event.taskId}, which was never created`,
    'the journal is incomplete: restore it from a backup',
    data,
  );
}
