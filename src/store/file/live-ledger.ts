import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { DocketError, messageOf } from '../../errors.ts';
import { type Clock, iso } from '../../io/clock.ts';
import { createFile, fingerprint, sizeAndInode } from '../../io/files.ts';
import type { SharedLog } from '../../layout/layout.ts';
import type { Event } from '../../task/schema.ts';
import { maxLineBytes, sealIn } from '../codec.ts';
import type { Ledger } from '../ledger.ts';
import { Flusher, type HighWater, HighWaterFile, highWaterOf } from './high-water.ts';
import type { Journal } from './journal.ts';
import { archiveJournal, archiveLog, createJournal, hasSnapshot, loadLedger, readOn } from './load.ts';
import { assertJournalNotLost, journalAt, type Place, type StoreFacts } from './place.ts';
import type { Placed, Transaction } from './position.ts';
import type { RunGuard } from './run-locks.ts';
import { writeSnapshot } from './snapshot.ts';

interface LiveLedgerOptions {
  place: Place;
  facts: StoreFacts;
  clock: Clock;
  guard: RunGuard;
  warn: (warning: string) => void;
}

const eventsPerSnapshot = 1000;
const compactBytes = 64 * 1024 * 1024;
const feltEvents = 250;

/** The journal, and its fold kept in step with it: by reading on, or from the start after something went wrong. */
export class LiveLedger {
  readonly flusher: Flusher;
  readonly #options: LiveLedgerOptions;
  readonly #journal: Journal;
  readonly #mark: HighWaterFile;
  #ledger: Ledger;
  /** The ledger may hold what the journal does not: it has to be folded anew. */
  #stale = false;
  #markFailed = false;
  #snapshotSeq: number;
  #snapshotSeen: string | undefined;
  /** Commands come one by one, each as a process: what was felt at this opening, the next is spared. */
  #readMuch = false;

  /** Under the lock. Makes the journal if there was never one. */
  constructor(options: LiveLedgerOptions) {
    const { place, facts } = options;
    this.#options = options;
    this.#journal = journalAt(place, 'write');
    this.flusher = new Flusher(this.#journal);
    this.#mark = new HighWaterFile(place.dir);
    if (sizeAndInode(place.journal) === undefined) {
      assertJournalNotLost(place);
      createJournal(this.#journal, facts.id);
    }
    this.#snapshotSeen = fingerprint(place.snapshot);
    try {
      ({ ledger: this.#ledger, snapshotSeq: this.#snapshotSeq } = loadLedger(place, this.#journal));
      this.#readMuch = this.#journal.seq - this.#snapshotSeq >= feltEvents;
    } catch (error) {
      this.#journal.close();
      throw error;
    }
  }

  encoder(): ReturnType<Journal['encoder']> {
    return this.#journal.encoder();
  }

  get strays(): readonly number[] {
    return this.#journal.strays;
  }

  get placed(): Placed {
    return this.#journal;
  }

  /** As it is in memory; `refresh` looks at the journal first. */
  get current(): Ledger {
    return this.#ledger;
  }

  refresh(): Ledger {
    const stale = this.#stale;
    this.#stale = true; // what fails in here leaves us half way
    if (stale) this.#reload();
    else readOn(this.#options.place, this.#journal, (event) => this.#read(event));
    this.#stale = false;
    return this.#ledger;
  }

  #read(event: Event): void {
    this.#ledger.apply(event);
    this.#options.guard.read(event, false);
  }

  /** Before a flush: what will be acknowledged when it is over. */
  highWater(): HighWater {
    return highWaterOf(this.#journal);
  }

  /** After it. The mark only helps to notice a later loss, so a failure is reported once and no commit fails by it. */
  acknowledge(mark: HighWater): void {
    try {
      this.#mark.raise(mark);
    } catch (error) {
      if (!this.#markFailed) this.#options.warn(messageOf(error));
      this.#markFailed = true;
    }
  }

  /** False: what is in memory may not be what the journal says, until the next refresh. */
  get isTrusted(): boolean {
    return !this.#stale;
  }

  distrust(): void {
    this.#stale = true;
  }

  /** Under the lock: the lines of what the ledger has committed. */
  append(lines: readonly Transaction[]): { written: number; error?: unknown } {
    const result = this.#journal.append(lines);
    if (result.error !== undefined) this.distrust();
    // Another tool wrote its line between our look and our append: ours have other numbers than we thought.
    if (this.#options.place.log && sizeAndInode(this.#journal.path)?.size !== this.#journal.offset)
      this.distrust();
    return result;
  }

  /** A crash in the middle of an append: nobody was told that it happened. The bytes are kept all the same. */
  cutTorn(): void {
    const torn = this.#journal.tornBytes();
    if (!torn) return;
    if (this.#journal.endForeign(torn)) {
      this.refresh();
      return;
    }
    const { place, clock, warn } = this.#options;
    const aside = path.join(place.dir, `torn-${this.#journal.offset}-${clock.now()}`);
    createFile(aside, torn);
    this.#journal.cutTorn();
    warn(`${this.#journal.path}: cut off ${torn.length} bytes of an unfinished write, kept in ${aside}`);
  }

  /**
   * Under the lock, with nothing left to append: a snapshot now and then, a new journal when this one is long.
   * That only spares work later on, so a failure is an answer: what was committed stands without it.
   */
  checkpoint(compactNow: boolean): DocketError | undefined {
    const { place } = this.#options;
    if (!hasSnapshot(place)) return undefined;
    try {
      // A log that other tools read is put away by those who ask for it only.
      if (compactNow || (!place.log && this.#journal.offset > compactBytes)) this.#compact();
      else if (this.#journal.seq - this.#snapshotSeq >= this.#eventsPerSnapshot()) {
        if (fingerprint(this.#options.place.snapshot) === this.#snapshotSeen) this.#snapshot();
        else this.#snapshotWritten(); // by another process, of which there may be many
      }
      return undefined;
    } catch (error) {
      if (!(error instanceof DocketError)) throw error;
      this.distrust();
      this.#snapshotSeq = this.#journal.seq;
      return error;
    }
  }

  #compact(): void {
    this.flusher.flushNow();
    const { place, facts, clock } = this.#options;
    if (place.log?.shared) compactLog(place, place.log.shared, this.#journal, this.#ledger, iso(clock));
    else archiveJournal(place, facts, this.#journal);
    this.#snapshot({ sync: true });
    this.acknowledge(this.highWater()); // the new log is on disk, and may lose something before the next commit
  }

  #snapshot(options: { sync?: boolean } = {}): void {
    this.flusher.flushNow(); // a snapshot must not outlive, in a power loss, the lines that it stands for
    writeSnapshot(this.#options.place.snapshot, this.#ledger, this.#journal.position, options);
    this.#snapshotWritten();
  }

  /** Writing costs by the task, reading by the event: with a quarter, neither is felt in a store of 10,000 tasks. */
  #eventsPerSnapshot(): number {
    if (this.#readMuch) return 1;
    return Math.max(eventsPerSnapshot, this.#ledger.size / 4);
  }

  #snapshotWritten(): void {
    this.#readMuch = false;
    this.#snapshotSeq = this.#journal.seq;
    this.#snapshotSeen = fingerprint(this.#options.place.snapshot);
  }

  #reload(): void {
    this.#journal.rewind();
    this.#snapshotSeen = fingerprint(this.#options.place.snapshot);
    const { place, guard } = this.#options;
    const loaded = loadLedger(place, this.#journal, (event) => guard.read(event, true));
    this.#ledger = loaded.ledger;
    this.#snapshotSeq = loaded.snapshotSeq;
  }

  close(): void {
    this.#mark.close();
    this.#journal.close();
  }
}

/**
 * Under the lock, the log flushed: it moves to the archive, whole, and the new one begins with every task as it is, in
 * words that other readers of the log know. Numbers go on from the old one, so that no claim is taken for another.
 */
function compactLog(place: Place, shared: SharedLog, journal: Journal, ledger: Ledger, at: string): void {
  const base = journal.seq;
  const facts = ledger.list({ removed: true }).flatMap((task) => shared.carry(task));
  if (facts.length === 0) return;
  let after = '';
  const lines = facts.map((fact, index) => {
    const event: Event = { v: 1, seq: base + index + 1, at, ...fact, id: randomUUID() };
    const line = journal.codec.encode(event, ledger.get(fact.taskId), index === 0 ? { base } : { after });
    after = sealIn(line);
    return line;
  });
  const long = lines.findIndex((line) => Buffer.byteLength(line) > maxLineBytes);
  if (long >= 0) {
    const id = facts[long]?.taskId;
    const message = `task ${id} is too long to be carried over into a new log in one line`;
    throw new DocketError('TOO_LARGE', message, 'nothing was changed; the log stays as it is', { id });
  }
  archiveLog(place, journal, lines.join(''));
  readOn(place, journal, (event) => ledger.apply(event));
}
