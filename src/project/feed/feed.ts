import type { TaskRef } from '../../engine/progress.ts';
import { DocketError } from '../../errors.ts';
import type { Kind, KindStore } from '../../kinds/kind.ts';
import type { Project } from '../../settings/project.ts';
import { openReader } from '../../store/open/open.ts';
import type { StoreReader } from '../../store/store.ts';
import type { Event } from '../../task/schema.ts';
import { kinds, storesIn } from '../tasks/kinds.ts';
import { type Cursor, cursorAt, readPosition, writePosition } from './position.ts';
import { TaskRefs } from './task-refs.ts';

/** Something that changed: an event of a task, or the store of a task is gone and its events with it. */
export type Change = {
  /** `watch` resumes behind this change when it gets its position, in any process. */
  position: string;
  ref: TaskRef;
} & ({ event: Event } | { gone: true });

/** Stores are added and deleted without an event that says so. */
const lookMs = 1000;
/** So many stores are followed as they change. The others are looked at, and followed once they change. */
const mostFollowed = 64;

/**
 * Every change of every store of a project, in the order in which each store has them, until the signal. Takes no lock
 * and writes nothing. One change at a time is held for each store that is followed: a slow reader costs no memory.
 */
export async function* watchStores(
  where: Pick<Project, 'root' | 'clock'>,
  signal: AbortSignal,
  since?: string,
): AsyncGenerator<Change> {
  const feed = new Feed(where, signal, since === undefined ? undefined : readPosition(since));
  try {
    yield* feed.changes();
  } finally {
    await feed.close();
  }
}

/** Where a watch without a position would begin now. Who asks before reading tasks misses nothing in between. */
export async function positionNow(where: Pick<Project, 'root' | 'clock'>): Promise<string> {
  const feed = new Feed(where, AbortSignal.abort(), undefined);
  await feed.look();
  await feed.close();
  return feed.position;
}

interface Named {
  key: string;
  kind: Kind;
  /** Of the only task, where the store has one. */
  name: string | undefined;
  /** Absent: nothing was handed over yet. */
  cursor?: Cursor | undefined;
}

interface Watched extends Named {
  reader: StoreReader;
  /** With this version of the store, everything up to the cursor was handed over. */
  version?: string | undefined;
  /** What is in it now is still to be skipped. */
  skipsPast: boolean;
  /** Ends following it. */
  stop?: AbortController | undefined;
  lastActive: number;
}

interface Offer {
  from: Watched;
  event: Event;
  taken: () => void;
}

class Feed {
  readonly #where: Pick<Project, 'root' | 'clock'>;
  readonly #signal: AbortSignal;
  readonly #since: ReadonlyMap<string, Cursor> | undefined;
  readonly #stores = new Map<string, Watched>();
  /** Their end is still to be handed over. */
  readonly #gone = new Map<string, Named>();
  readonly #followed = new Map<Watched, Promise<void>>();
  readonly #offers: Offer[] = [];
  readonly #refs = new TaskRefs();
  #wake: () => void = () => undefined;
  #isFirst = true;
  #isOver = false;
  #fault: { error: unknown } | undefined;

  constructor(
    where: Pick<Project, 'root' | 'clock'>,
    signal: AbortSignal,
    since: ReadonlyMap<string, Cursor> | undefined,
  ) {
    this.#where = where;
    this.#signal = signal;
    this.#since = since;
  }

  async *changes(): AsyncGenerator<Change> {
    const wake = () => this.#wake();
    this.#signal.addEventListener('abort', wake);
    try {
      for (let lookAt = 0; !this.#signal.aborted;) {
        const now = performance.now();
        if (now >= lookAt) {
          for (const gone of await this.look()) yield* this.#end(gone);
          lookAt = now + lookMs;
        }
        const offer = this.#offers.shift();
        if (offer) yield await this.#take(offer);
        else await this.#rest(lookAt - performance.now());
        if (this.#fault) throw this.#fault.error;
      }
    } finally {
      this.#signal.removeEventListener('abort', wake);
    }
  }

  async close(): Promise<void> {
    this.#isOver = true;
    for (const { stop } of this.#followed.keys()) stop?.abort();
    for (const { taken } of this.#offers.splice(0)) taken();
    await Promise.all(this.#followed.values());
  }

  /** Finds new stores, and begins to follow those that have changed. Returns those that are gone. */
  async look(): Promise<Named[]> {
    const here = new Set<string>();
    for (const { kind, name, store } of storesIn(this.#where.root)) {
      const key = `${kind.name}:${name ?? ''}`;
      here.add(key);
      const known = this.#stores.get(key);
      const one = known ?? this.#watched(key, kind, name, openReader(store, this.#where.clock));
      if (this.#followed.has(one)) continue;
      const version = await one.reader.version();
      if (version === undefined) one.skipsPast = false; // whatever comes is new
      if (version === undefined || version === one.version) continue;
      const { skipsPast } = one;
      if (skipsPast && !(await this.#skipPast(one))) continue;
      one.version = version;
      if (!skipsPast || name === undefined) await this.#follow(one);
    }
    for (const key of this.#isFirst ? (this.#since?.keys() ?? []) : []) {
      const [kind, name] = key.split(':');
      const found = kinds.find((one) => one.name === kind);
      if (found && !here.has(key))
        this.#gone.set(key, { key, kind: found, name, cursor: this.#since?.get(key) });
    }
    this.#isFirst = false;
    for (const [key, one] of this.#stores) if (!here.has(key)) this.#gone.set(key, one);
    return [...this.#gone.values()];
  }

  #watched(key: string, kind: Kind, name: KindStore['name'], reader: StoreReader): Watched {
    // What there is when the watch begins is no change, unless a position says what was handed over before.
    const skipsPast = this.#isFirst && this.#since === undefined;
    const one = { key, kind, name, reader, cursor: this.#since?.get(key), skipsPast, lastActive: 0 };
    this.#stores.set(key, one);
    return one;
  }

  /** False: it cannot be read now, and `docket doctor` says why. It hides no other store, and is looked at again. */
  async #skipPast(one: Watched): Promise<boolean> {
    try {
      const last = await one.reader.last();
      one.cursor = last && cursorAt(last);
      one.skipsPast = false;
      return true;
    } catch (error) {
      if (!(error instanceof DocketError)) throw error;
      return false;
    }
  }

  async #follow(one: Watched): Promise<void> {
    if (this.#followed.size >= mostFollowed && !(await this.#unfollowIdle())) {
      one.version = undefined; // its turn comes at a later look
      return;
    }
    one.stop = new AbortController();
    one.lastActive = performance.now();
    const ended = this.#pump(one, one.stop.signal)
      .catch((error: unknown) => {
        // A store that cannot be read is followed again when it has changed.
        if (!(error instanceof DocketError)) this.#fault ??= { error };
      })
      .finally(() => {
        this.#followed.delete(one);
        this.#wake();
      });
    this.#followed.set(one, ended);
  }

  /** Ends following the store that has been quiet longest. False: something is on its way from each of them. */
  async #unfollowIdle(): Promise<boolean> {
    const byAge = [...this.#followed.keys()].toSorted((a, b) => a.lastActive - b.lastActive);
    for (const one of byAge) {
      const version = await one.reader.version();
      const last = await one.reader.last().catch(() => undefined);
      if (last === undefined || last.seq !== one.cursor?.seq) continue;
      one.version = version;
      one.stop?.abort();
      await this.#followed.get(one);
      return true;
    }
    return false;
  }

  /** Hands over what is behind the cursor, then what comes. */
  async #pump(one: Watched, signal: AbortSignal): Promise<void> {
    const last = await one.reader.last();
    const cursor = last && one.cursor && last.seq >= one.cursor.seq ? one.cursor : undefined;
    for await (const event of one.reader.tail({ after: cursor ? cursor.seq - 1 : 0, signal })) {
      if (cursor && event.seq <= cursor.seq) {
        if (cursorAt(event).mark === cursor.mark) continue;
        // It is another store of the same name: all of it is new.
        one.cursor = undefined;
        one.version = undefined;
        return;
      }
      await new Promise<void>((taken) => {
        this.#offers.push({ from: one, event, taken });
        this.#wake();
      });
      if (this.#isOver) return;
    }
  }

  async #take({ from, event, taken }: Offer): Promise<Change> {
    from.cursor = cursorAt(event);
    from.lastActive = performance.now();
    const ref = await this.#refs.of(from, event);
    taken();
    return { position: this.position, ref, event };
  }

  /** What came from it before it was gone, and that it is. A store of many tasks has none whose end it would be. */
  async *#end(one: Named): AsyncGenerator<Change> {
    this.#stores.get(one.key)?.stop?.abort();
    for (const offer of this.#offers.filter(({ from }) => from === one)) {
      this.#offers.splice(this.#offers.indexOf(offer), 1);
      yield await this.#take(offer);
    }
    const { key, name } = one;
    this.#stores.delete(key);
    this.#gone.delete(key);
    if (!name) return;
    yield { position: this.position, ref: this.#refs.last(one), gone: true };
  }

  get position(): string {
    const all = new Map<string, Named>([...this.#gone, ...this.#stores]);
    return writePosition([...all.values()]);
  }

  #rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake(), Math.max(0, ms));
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = () => undefined;
        resolve();
      };
      if (this.#signal.aborted || this.#offers.length > 0 || this.#fault) this.#wake();
    });
  }
}
