import path from 'node:path';
import { iso, sleep, type Clock } from '../io/clock.ts';
import { createFile, fingerprint, sizeAndInode } from '../io/files.ts';
import { lockWithin, openMutex, type Mutex } from '../io/lock.ts';
import type { Layout } from '../layout/layout.ts';
import { archiveJournal, readOn } from './archive.ts';
import type { Outcome, Tx } from './backend.ts';
import { Flusher } from './flusher.ts';
import { runOne, type Job, type Ran, type Waiting } from './job.ts';
import { Journal, type Transaction } from './journal.ts';
import type { Ledger } from './ledger.ts';
import { encodeLine } from './line.ts';
import { loadLedger } from './load.ts';
import { assertJournalNotLost, type Place, type StoreFacts } from './place.ts';
import { Projection } from './projection.ts';
import { writeSnapshot } from './snapshot.ts';

export interface WriterOptions {
  root: string;
  place: Place;
  facts: StoreFacts;
  layout: Layout;
  clock: Clock;
  durability: Durability;
  lockWaitMs: number;
  projectionLagMs: number;
  settleMs: number;
  /** Things a person should know that are no reason to fail. */
  warn: (warning: string) => void;
}

/** durable: an acknowledged commit survives power loss. relaxed: it survives our death; power loss costs ≤ 1 s. */
export type Durability = 'durable' | 'relaxed';

const relaxedFlushMs = 1000;
/** How long a command waits for somebody to finish saving; then it goes on without looking at the file. */
const settleWaitMs = 200;
const eventsPerSnapshot = 1000;
const compactBytes = 64 * 1024 * 1024;

/**
 * The one who writes. All callers waiting in this process share one hold of the lock, one append and one flush:
 * lock → read what others appended → take in people's edits → run the jobs → append → files → unlock → flush →
 * answer. A crash anywhere leaves a journal that the next writer completes or cuts back to what was promised.
 */
export class Writer {
  readonly journal: Journal;
  readonly projection: Projection;
  ledger: Ledger;
  readonly #options: WriterOptions;
  readonly #mutex: Mutex;
  readonly #flusher: Flusher;
  #queue: Waiting[] = [];
  #pumping: Promise<void> | undefined;
  #snapshotSeq: number;
  #snapshotSeen: string | undefined;
  #stale = false;
  #compactNow = false;
  /** Why the last checkpoint failed. */
  #unsaved: unknown;
  #timer: NodeJS.Timeout | undefined;
  #flushTimer: NodeJS.Timeout | undefined;

  private constructor(options: WriterOptions, mutex: Mutex) {
    this.#options = options;
    this.#mutex = mutex;
    this.journal = new Journal(options.place.journal, 'write');
    this.projection = new Projection(options);
    this.#flusher = new Flusher(this.journal);
    try {
      this.#snapshotSeen = fingerprint(options.place.snapshot);
      const loaded = loadLedger(options.place, this.journal);
      this.ledger = loaded.ledger;
      this.#snapshotSeq = loaded.snapshotSeq;
    } catch (error) {
      this.journal.close();
      throw error;
    }
  }

  static async open(options: WriterOptions): Promise<Writer> {
    const mutex = openMutex(options.place.lockFile, options.facts.lock);
    try {
      await lockWithin(mutex, options.lockWaitMs);
      if (sizeAndInode(options.place.journal) === undefined) {
        assertJournalNotLost(options.place);
        new Journal(options.place.journal, 'write').create(options.facts.id);
      }
      const writer = new Writer(options, mutex);
      mutex.unlock();
      return writer;
    } catch (error) {
      mutex.close(); // and with it the lock
      throw error;
    }
  }

  /** Brings the ledger up to date without a lock. */
  refresh(): Ledger {
    const stale = this.#stale;
    this.#stale = true; // what fails in here leaves us half way
    if (stale) this.#reload();
    else readOn(this.#options.place, this.journal, (event) => this.ledger.apply(event));
    this.#stale = false;
    return this.ledger;
  }

  run<T>(job: Job<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ run: job, resolve, reject });
      this.#pumping ??= new Promise<void>((done) => setImmediate(() => done(this.#pump())));
    });
  }

  async #pump(): Promise<void> {
    for (let waited = 0; this.#queue.length > 0;) {
      try {
        await lockWithin(this.#mutex, this.#options.lockWaitMs);
      } catch (error) {
        for (const waiting of this.#queue.splice(0)) waiting.reject(error);
        break;
      }
      const unsettled = Math.min(settleWaitMs - waited, this.projection.unsettledMs());
      if (unsettled > 0) {
        this.#unlock();
        await sleep(unsettled);
        waited += unsettled;
        continue;
      }
      const batch = this.#queue.splice(0);
      try {
        void this.#answer(this.#round(batch));
      } catch (error) {
        this.#stale = true;
        for (const waiting of batch) waiting.reject(error);
      } finally {
        this.#unlock();
      }
    }
    this.#pumping = undefined;
  }

  /** What was committed stands, whatever becomes of the lock: the next one who wants it will say what is wrong. */
  #unlock(): void {
    try {
      this.#mutex.unlock();
    } catch (error) {
      this.#options.warn(error instanceof Error ? error.message : String(error));
    }
  }

  /** Everything that happens under the lock, in one go. */
  #round(batch: readonly Waiting[]): { ran: Ran[]; written: number; error?: unknown } {
    this.#flusher.check();
    this.refresh();
    this.#cutTorn();
    const now = iso(this.#options.clock);
    const lines: Transaction[] = [];
    const commit = (tx: Tx): Outcome => {
      const outcome = this.ledger.commit(tx, now);
      if (outcome.kind === 'committed' && outcome.events.length > 0)
        lines.push({ text: outcome.events.map(encodeLine).join(''), seq: this.ledger.seq });
      return outcome;
    };
    this.projection.adoptEdits(this.ledger, commit, now);
    const ran = batch.flatMap((waiting) => runOne(waiting, this.ledger, commit, now, lines) ?? []);
    const { written, error } = this.journal.append(lines);
    if (error !== undefined) this.#stale = true;
    else this.#writeFiles();
    return { ran, written, error };
  }

  #writeFiles(): void {
    const dueIn = this.projection.dueIn(this.ledger);
    if (dueIn === 0) this.projection.write(this.ledger);
    else if (dueIn !== undefined) this.#later(dueIn);
    try {
      this.#checkpoint();
    } catch (error) {
      // It only spares work later on: what was committed stands without it.
      this.#unsaved = error;
      this.#stale = true;
      this.#snapshotSeq = this.journal.seq;
      this.#options.warn(error instanceof Error ? error.message : String(error));
    }
  }

  #checkpoint(): void {
    this.#unsaved = undefined;
    if (this.#compactNow || this.journal.offset > compactBytes) this.#compact();
    else if (this.journal.seq - this.#snapshotSeq >= Math.max(eventsPerSnapshot, this.ledger.size)) {
      if (fingerprint(this.#options.place.snapshot) === this.#snapshotSeen) this.#snapshot();
      else this.#snapshotWritten(); // by another process, of which there may be many
    }
  }

  #snapshot(options: { sync?: boolean } = {}): void {
    this.#flusher.flushNow(); // a snapshot must not outlive, in a power loss, the lines that it stands for
    writeSnapshot(this.#options.place.snapshot, this.ledger, this.journal.position, options);
    this.#snapshotWritten();
  }

  #snapshotWritten(): void {
    this.#snapshotSeq = this.journal.seq;
    this.#snapshotSeen = fingerprint(this.#options.place.snapshot);
  }

  #compact(): void {
    this.#compactNow = false;
    this.#flusher.flushNow();
    archiveJournal(this.#options.place, this.#options.facts, this.journal);
    this.#snapshot({ sync: true });
  }

  async compact(): Promise<void> {
    this.#compactNow = true;
    await this.run(() => undefined);
    if (this.#unsaved !== undefined) throw this.#unsaved;
  }

  async #answer(round: { ran: Ran[]; written: number; error?: unknown }): Promise<void> {
    const { ran, written, error } = round;
    try {
      if (ran.some((one) => one.durable)) await this.#flushed();
    } catch (failure) {
      for (const { waiting } of ran) waiting.reject(failure);
      return;
    }
    for (const { waiting, value, after } of ran) {
      if (after <= written) waiting.resolve(value as never);
      else waiting.reject(error);
    }
  }

  async #flushed(): Promise<void> {
    if (this.#options.durability === 'durable') return this.#flusher.flushed();
    this.#flushTimer ??= setTimeout(() => {
      this.#flushTimer = undefined;
      void this.#flusher.flushed().catch((error: unknown) => this.#options.warn(String(error)));
    }, relaxedFlushMs).unref();
  }

  #later(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.run(() => undefined).catch((error: unknown) => this.#options.warn(String(error)));
    }, ms).unref();
  }

  /** A crash in the middle of an append: nobody was told that it happened. The bytes are kept all the same. */
  #cutTorn(): void {
    const torn = this.journal.tornBytes();
    if (!torn) return;
    const aside = path.join(
      this.#options.place.dir,
      `torn-${this.journal.offset}-${this.#options.clock.now()}`,
    );
    createFile(aside, torn);
    this.journal.cutTorn();
    this.#options.warn(
      `${this.journal.path}: cut off ${torn.length} bytes of an unfinished write, kept in ${aside}`,
    );
  }

  #reload(): void {
    this.journal.rewind();
    this.#snapshotSeen = fingerprint(this.#options.place.snapshot);
    const loaded = loadLedger(this.#options.place, this.journal);
    this.ledger = loaded.ledger;
    this.#snapshotSeq = loaded.snapshotSeq;
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    clearTimeout(this.#flushTimer);
    try {
      await this.#pumping;
      if (this.projection.dueIn(this.ledger) !== undefined) {
        this.projection.hurry();
        await this.run(() => undefined);
      }
      if (this.#options.durability === 'relaxed') await this.#flusher.flushed();
      await this.#flusher.idle();
    } finally {
      this.journal.close();
      this.#mutex.close();
    }
  }
}
