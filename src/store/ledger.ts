import { DocketError } from '../errors.ts';
import { evolve } from '../task/evolve.ts';
import type { TaskView } from '../task/needs.ts';
import type { Event, Task } from '../task/schema.ts';
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

  list(query: ListQuery = {}): Task[] {
    const { status, removed } = query;
    const onlyActive = status !== undefined && status.every(isActive);
    const tasks: Task[] = [];
    for (const id of onlyActive ? this.#active.keys() : this.#tasks.keys()) {
      const task = this.get(id);
      if (task === undefined || (task.removedAt !== undefined && !removed)) continue;
      if (status === undefined || status.includes(task.status)) tasks.push(task);
    }
    return tasks;
  }

  /** Takes in a fact that is already in the journal. */
  apply(event: Event): void {
    const before = this.get(event.taskId);
    const task = evolve(before, event);
    if (task === undefined) throw impossible(event, before);
    this.put(task);
    this.seq = event.seq;
    this.#touched.add(task.id);
    if (event.key !== undefined) this.#remember(event.key, event.seq);
  }

  /** Checks a transaction against the state of this moment and, if it holds, makes its events facts. */
  commit(tx: Tx, at: string): Outcome {
    const refused = this.#check(tx);
    if (refused) return refused;
    const events = tx.events.map((event, index): Event => {
      const more = tx.events.length - index - 1;
      return {
        v: 1,
        seq: this.seq + index + 1,
        at,
        ...event,
        ...(index === 0 && tx.key !== undefined && { key: tx.key }),
        ...(more > 0 && { more }),
      };
    });
    for (const event of events) this.apply(event);
    return { kind: 'committed', events };
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

function impossible(event: Event, task: Task | undefined): DocketError {
  const data = { seq: event.seq, type: event.type, taskId: event.taskId };
  if (task)
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
