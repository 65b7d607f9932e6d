import type { Log } from '../layout/layout.ts';
import { compareIds } from '../task/id.ts';
import type { Event, NewEvent, Task } from '../task/schema.ts';
import { isActive } from '../task/status.ts';
import { fitsLine } from './codec.ts';
import { fold } from './fold.ts';
import { adjusted, overviewOf, spare, type Overview, type Tally } from './overview.ts';
import { briefOf, lineOf, type Brief, type Shelf } from './shelf.ts';
import type { ListQuery, Outcome, TaskIndex, Tx } from './store.ts';

/** How many idempotency keys are remembered. Retries come within minutes; this is days of keyed commands. */
const keyLimit = 10_000;

/**
 * The state of one store in memory: the fold of its journal. A task that nobody works on stays on the checkpoint's
 * shelf until somebody asks for it, so that history costs a map entry and no more.
 */
export class Ledger implements TaskIndex {
  seq = 0;
  /** Ids with events after `#touchedFrom`. */
  readonly #touched = new Set<string>();
  #touchedFrom = 0;
  /** A number: it is on the shelf, at that place, and nobody has asked for it yet. */
  readonly #tasks = new Map<string, Task | number>();
  readonly #shelf: Shelf | undefined;
  /** Places on the shelf whose tasks were asked for. */
  readonly #unshelved = new Set<number>();
  /** The active ones, but for those on the shelf. */
  readonly #active = new Set<string>();
  /** Those of the active ones that somebody works on, or has handed in. They are never on the shelf. */
  readonly #held = new Set<string>();
  readonly #keys = new Map<string, number>();
  readonly #log: Log | undefined;

  /** `log`: the journal's own format, which may want to read more than the facts. */
  constructor(log?: Log, shelf?: Shelf) {
    this.#log = log;
    this.#shelf = shelf;
    const ids = shelf?.ids ?? [];
    for (let index = 0; index < ids.length; index += 1) this.#tasks.set(ids[index] as string, index);
  }

  get size(): number {
    return this.#tasks.size;
  }

  get(id: string): Task | undefined {
    const found = this.#tasks.get(id);
    if (typeof found !== 'number') return found;
    const task = JSON.parse(this.#shelf?.json(found) ?? '') as Task;
    this.put(task);
    return task;
  }

  ids(): Iterable<string> {
    return this.#tasks.keys();
  }

  *active(): Iterable<Task> {
    for (const id of this.#activeIds()) yield this.get(id) as Task;
  }

  #activeIds(): string[] {
    const shelved = (this.#shelf?.ids ?? []).slice(0, this.#shelf?.active);
    return [...shelved.filter((id, index) => this.#tasks.get(id) === index), ...this.#active];
  }

  *held(): Iterable<Task> {
    for (const id of this.#held) yield this.get(id) as Task;
  }

  /** All of them, in no order, and none is parsed for it. */
  *briefs(): Iterable<Brief> {
    for (const id of this.#tasks.keys()) yield this.#brief(id);
  }

  #brief(id: string): Brief {
    const found = this.#tasks.get(id);
    const known = typeof found === 'number' ? this.#shelf?.brief(found) : undefined;
    if (known) return known;
    return briefOf(this.get(id) as Task);
  }

  /** What is not shown, and did not change since the checkpoint, is not looked at. */
  overview(): Overview {
    const shelf = this.#shelf;
    const taken = [...this.#unshelved].filter((index) => index >= (shelf?.active ?? 0)).length;
    if (!shelf?.tally || taken > spare) return overviewOf([...this.briefs()]);
    const before = [...this.#unshelved].flatMap((index) => shelf.brief(index) ?? []);
    const parsed = [...this.#tasks.values()].filter((task) => typeof task !== 'number').map(briefOf);
    const over: Brief[] = []; // the active ones are in the tally, and are not shown as over
    for (let index = shelf.active; index < shelf.hot; index += 1)
      if (!this.#unshelved.has(index)) over.push(shelf.brief(index) as Brief);
    return overviewOf([...over, ...parsed], adjusted(adjusted(shelf.tally, before, -1), parsed, 1));
  }

  /** In the order of their ids, which is that of their making: a snapshot keeps tasks in another one. */
  list(query: ListQuery = {}): Task[] {
    const { status, removed } = query;
    const onlyActive = status !== undefined && status.every(isActive);
    const tasks: Task[] = [];
    for (const id of sorted(onlyActive ? this.#activeIds() : this.#tasks.keys())) {
      const brief = this.#brief(id);
      if (brief.removed && !removed) continue;
      if (status === undefined || status.includes(brief.status)) tasks.push(this.get(id) as Task);
    }
    return tasks;
  }

  /** The same as JSON texts: what was never looked into is handed on as it came. */
  listTexts(query: ListQuery = {}): string[] {
    if (query.status !== undefined || query.removed)
      return this.list(query).map((task) => JSON.stringify(task));
    const texts: string[] = [];
    for (const id of sorted(this.#tasks.keys())) {
      if (this.#brief(id).removed) continue;
      const task = this.#tasks.get(id);
      texts.push(typeof task === 'number' ? (this.#shelf?.json(task) ?? '') : JSON.stringify(task));
    }
    return texts;
  }

  /** Takes in a fact that is already in the journal. */
  apply(event: Event): void {
    if (event.type === 'note' && !this.#tasks.has(event.taskId)) this.seq = event.seq;
    else this.#take(event, fold(this.get(event.taskId), event, this.#log));
  }

  #take(event: Event, task: Task): void {
    this.put(task);
    this.seq = event.seq;
    this.#touched.add(task.id);
    if (event.key !== undefined) this.#remember(event.key, event.seq);
  }

  /**
   * Checks a transaction against the state of this moment and, if it holds, makes its events facts. `tell` is called
   * with each of them and the task without it.
   */
  commit(tx: Tx, at: string, tell?: (event: Event, before: Task | undefined) => void): Outcome {
    const refused = this.#check(tx);
    if (refused) return refused;
    // All are folded before the first is taken in: one that cannot be must leave nothing of the others behind.
    const after = new Map<string, Task>();
    const befores: (Task | undefined)[] = [];
    const folded = (event: Event): Task => {
      const before = after.get(event.taskId) ?? this.get(event.taskId);
      const task = fold(before, event, this.#log);
      befores.push(before);
      after.set(task.id, task);
      return task;
    };
    const names: string[] = [];
    const events = this.#stamped(tx, tx.events, at, names);
    const tasks = events.map(folded);
    const notes = this.#notesOn(tx.events, after);
    if (notes.length > 0) {
      const all = this.#stamped(tx, [...tx.events, ...notes], at, names);
      tasks.push(...all.slice(events.length).map(folded));
      events.splice(0, Infinity, ...all);
    }
    if (tell) for (const [index, event] of events.entries()) tell(event, befores[index]);
    for (const [index, event] of events.entries()) this.#take(event, tasks[index] as Task);
    return { kind: 'committed', events };
  }

  /** `names`: those that the first of them have already. */
  #stamped(tx: Tx, events: readonly NewEvent[], at: string, names: string[]): Event[] {
    const named = this.#log?.shared !== undefined;
    return events.map((event, index): Event => {
      const more = events.length - index - 1;
      return {
        v: 1,
        seq: this.seq + index + 1,
        at,
        ...event,
        ...(index === 0 && tx.key !== undefined && { key: tx.key }),
        ...(index === 0 && tx.digest !== undefined && { digest: tx.digest }),
        ...(more > 0 && { more }),
        ...(named && { id: (names[index] ??= crypto.randomUUID()) }),
      };
    });
  }

  /** Is the event short enough for a line of the journal? */
  fits(event: NewEvent): boolean {
    return fitsLine(event, this.#log?.shared !== undefined);
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
    const before = this.#tasks.get(task.id);
    if (typeof before === 'number') this.#unshelved.add(before);
    this.#tasks.set(task.id, task);
    mark(this.#active, task.id, isActive(task.status));
    mark(this.#held, task.id, task.status === 'running' || task.status === 'review');
  }

  /** Every task as a line: those that somebody works on, the other active ones, those that an overview shows, the rest. */
  lines(): { held: number; active: number; hot: number; tally: Tally; ids: string[]; lines: string[] } {
    const active = this.#activeIds();
    const { failed, ended, ...tally } = overviewOf([...this.briefs()], undefined, spare);
    const hot = new Set([
      ...this.#held,
      ...active,
      ...failed.map(({ id }) => id),
      ...ended.map(({ id }) => id),
    ]);
    const ids = [...hot, ...[...this.#tasks.keys()].filter((id) => !hot.has(id))];
    const lines = ids.map((id) => this.#line(id));
    return { held: this.#held.size, active: active.length, hot: hot.size, tally, ids, lines };
  }

  /** What was never looked into is handed on as it came. */
  #line(id: string): string {
    const found = this.#tasks.get(id);
    const isShelved = typeof found === 'number' && this.#shelf?.brief(found) !== undefined;
    return isShelved ? (this.#shelf?.line(found) ?? '') : lineOf(this.get(id) as Task);
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

function sorted(ids: Iterable<string>): string[] {
  return [...ids].toSorted(compareIds);
}

function mark(ids: Set<string>, id: string, is: boolean): void {
  if (is) ids.add(id);
  else ids.delete(id);
}
