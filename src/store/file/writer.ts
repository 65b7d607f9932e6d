import { DocketError, messageOf } from '../../errors.ts';
import { iso, sleep, type Clock } from '../../io/clock.ts';
import { openMutex } from '../../io/lock.ts';
import { applyNow } from '../claim.ts';
import type { Ledger } from '../ledger.ts';
import type { Durability, Outcome, Tx } from '../store.ts';
import type { Subscriber } from './files-in-step.ts';
import { runOne, type Job, type Ran, type Waiting } from './job.ts';
import { LiveLedger } from './live-ledger.ts';
import { withOutside, type Locks } from './outside-lock.ts';
import type { Place, StoreFacts } from './place.ts';
import type { Transaction } from './position.ts';
import { stopForged, type RunGuard } from './run-locks.ts';

export interface WriterOptions<S extends Subscriber> {
  place: Place;
  facts: StoreFacts;
  /** The lock of other tools that write to the log. */
  outsideLock: string | undefined;
  /** Called under the lock. */
  subscribe: () => S;
  clock: Clock;
  durability: Durability;
  lockWaitMs: number;
  guard: RunGuard;
  /** Things a person should know that are no reason to fail. */
  warn: (warning: string) => void;
}

interface Round {
  ran: Ran[];
  written: number;
  error?: unknown;
}

const relaxedFlushMs = 1000;
/** How long a command waits for somebody to finish saving; then it goes on without looking at the file. */
const settleWaitMs = 200;

/**
 * The one who writes. All callers waiting in this process share one hold of the lock, one append and one flush:
 * lock → read what others appended → take in people's edits → run the jobs → append → files → unlock → flush →
 * answer. A crash anywhere leaves a journal that the next writer completes or cuts back to what was promised.
 */
export class Writer<S extends Subscriber> {
  readonly subscriber: S;
  readonly #options: WriterOptions<S>;
  readonly #locks: Locks;
  readonly #live: LiveLedger;
  #queue: Waiting[] = [];
  #pumping: Promise<void> | undefined;
  /** Since it was opened, for the first round. */
  #isLocked = true;
  #compactNow = false;
  #checkpointFailed: DocketError | undefined;
  #closed: Promise<void> | undefined;
  #filesTimer: NodeJS.Timeout | undefined;
  #flushTimer: NodeJS.Timeout | undefined;

  private constructor(options: WriterOptions<S>, locks: Locks) {
    this.#options = options;
    this.#locks = locks;
    this.subscriber = options.subscribe();
    this.#live = new LiveLedger(options);
  }

  /** `first` is run before the lock is given up in which the journal was read. */
  static async open<S extends Subscriber>(options: WriterOptions<S>, first: Job<void>): Promise<Writer<S>> {
    const { place, facts, outsideLock } = options;
    const locks = withOutside(openMutex(place.lockFile, facts.lock), outsideLock);
    let writer: Writer<S>;
    try {
      await locks.lock(options.lockWaitMs);
      writer = new Writer(options, locks);
    } catch (error) {
      locks.close();
      throw error;
    }
    try {
      await writer.run(first);
      return writer;
    } catch (error) {
      await writer.close().catch(() => undefined);
      throw error;
    }
  }

  /** A round is on its way, or is waiting for the lock. */
  get isBusy(): boolean {
    return this.#pumping !== undefined;
  }

  /** Brings the ledger up to date without a lock. */
  refresh(): Ledger {
    return this.#live.refresh();
  }

  get strays(): readonly number[] {
    return this.#live.strays;
  }

  run<T>(job: Job<T>): Promise<T> {
    return this.#closed ? Promise.reject(closed()) : this.#enqueue(job);
  }

  #enqueue<T>(job: Job<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ run: job, resolve, reject });
      this.#pumping ??= Promise.resolve().then(() => this.#pump());
    });
  }

  async compact(): Promise<void> {
    this.#compactNow = true;
    await this.run(() => undefined);
    if (this.#checkpointFailed !== undefined) throw this.#checkpointFailed;
  }

  async #pump(): Promise<void> {
    for (let waited = 0; this.#queue.length > 0;) {
      try {
        if (!this.#isLocked) await this.#locks.lock(this.#options.lockWaitMs);
        this.#isLocked = false;
      } catch (error) {
        for (const waiting of this.#queue.splice(0)) waiting.reject(error);
        break;
      }
      const unsettled = Math.min(settleWaitMs - waited, this.subscriber.unsettledMs());
      if (unsettled > 0) {
        this.#unlock();
        await sleep(unsettled);
        waited += unsettled;
        continue;
      }
      const batch = this.#queue.splice(0);
      let round: Round | undefined;
      try {
        round = this.#round(batch);
      } catch (error) {
        this.#live.distrust();
        for (const waiting of batch) waiting.reject(error);
      } finally {
        this.#unlock();
      }
      // A quick disk is flushed in one go with this call: never before the lock is free.
      if (round) void this.#answer(round);
    }
    this.#pumping = undefined;
  }

  /** What was committed stands, whatever becomes of the lock: the next one who wants it will say what is wrong. */
  #unlock(): void {
    try {
      this.#locks.unlock();
    } catch (error) {
      this.#warn(error);
    }
  }

  /** Everything that happens under the lock, in one go. */
  #round(batch: readonly Waiting[]): Round {
    this.#live.flusher.check();
    const ledger = this.#live.refresh();
    this.#live.cutTorn();
    const now = iso(this.#options.clock);
    const lines: Transaction[] = [];
    const encode = this.#live.encoder();
    const { guard, place } = this.#options;
    const commit = (tx: Tx): Outcome => {
      const texts: string[] = [];
      const outcome = ledger.commit(tx, now, (event, before) => {
        texts.push(encode(event, before));
        guard.wrote(event);
      });
      if (texts.length > 0) lines.push({ text: texts.join(''), seq: ledger.seq });
      return outcome;
    };
    for (const forged of guard.takeForged())
      applyNow(ledger, stopForged(ledger.get(forged.id), forged, place.journal), now, commit);
    this.subscriber.adoptEdits(ledger, commit, now, this.#live.placed);
    const ran = batch.flatMap((waiting) => runOne(waiting, ledger, commit, now, lines) ?? []);
    const { written, error } = this.#live.append(lines);
    if (error === undefined && this.#live.isTrusted) this.#writeFiles(ledger);
    else if (error === undefined) this.#writeFilesIn(0); // what others wrote meanwhile comes first
    return { ran, written, error };
  }

  #writeFiles(ledger: Ledger): void {
    const dueIn = this.subscriber.dueIn(ledger);
    if (dueIn === 0) this.subscriber.write(ledger, this.#live.placed);
    const later = dueIn === 0 ? this.subscriber.retryIn : dueIn;
    if (later !== undefined) this.#writeFilesIn(later);
    this.#checkpointFailed = this.#live.checkpoint(this.#compactNow);
    this.#compactNow = false;
    if (this.#checkpointFailed !== undefined) this.#warn(this.#checkpointFailed);
  }

  #writeFilesIn(ms: number): void {
    this.#filesTimer ??= setTimeout(() => {
      this.#filesTimer = undefined;
      this.#enqueue(() => undefined).catch((error: unknown) => this.#warn(error));
    }, ms).unref();
  }

  async #filesWritten(): Promise<void> {
    await this.#enqueue(() => undefined);
    for (let ms = this.subscriber.retryIn; ms !== undefined; ms = this.subscriber.retryIn) {
      const { givenUp } = this.subscriber;
      if (givenUp !== undefined) return this.#options.warn(givenUp);
      await sleep(ms);
      await this.#enqueue(() => undefined);
    }
  }

  async #answer(round: Round): Promise<void> {
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
    if (this.#options.durability === 'durable') return this.#flushAll();
    this.#flushTimer ??= setTimeout(() => {
      this.#flushTimer = undefined;
      this.#flushAll().catch((error: unknown) => this.#warn(error));
    }, relaxedFlushMs).unref();
  }

  async #flushAll(): Promise<void> {
    const mark = this.#live.highWater();
    await this.#live.flusher.flushed();
    this.#live.acknowledge(mark);
  }

  #warn(error: unknown): void {
    this.#options.warn(messageOf(error));
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    try {
      await this.#pumping;
      clearTimeout(this.#filesTimer);
      clearTimeout(this.#flushTimer);
      if (this.subscriber.dueIn(this.#live.current) !== undefined) {
        this.subscriber.hurry();
        // Commits were answered already. Files that cannot be written now are written by the next one who can.
        await this.#filesWritten().catch((error: unknown) => this.#warn(error));
      }
      if (this.#options.durability === 'relaxed') await this.#flushAll();
      await this.#live.flusher.idle();
    } finally {
      clearTimeout(this.#filesTimer);
      this.#live.close();
      this.#locks.close();
    }
  }
}

function closed(): DocketError {
  return new DocketError('STORE_STOPPED', 'the store is closed', 'open it again');
}
