import path from 'node:path';
import { DocketError } from '../errors.ts';
import { AppendFile } from '../io/append-file.ts';
import { createFile, linkFile, listDir, makeDir, readBytes, replaceFile, sizeAndInode } from '../io/files.ts';
import { liveness } from '../io/identity.ts';
import { bestLockKind, lockWithin, openMutex } from '../io/lock.ts';
import { decodeLine, encodeLine } from '../store/codec.ts';
import {
  applyEvent,
  type Book,
  type Call,
  dayOf,
  emptyBook,
  type MeterEvent,
  type NewMeterEvent,
} from './book.ts';

const lockWaitMs = 10_000;
const tailBytes = 64;

/** The book on disk: one line for each event, appended under a lock, read on from where we were. */
export class BookFile {
  readonly dir: string;
  readonly #access: 'read' | 'write';
  #ino: number | undefined;
  #offset = 0;
  #lines = 0;
  #book: Book = emptyBook();
  #day: string | undefined;
  /** The last bytes that were read: a book that somebody wrote anew is read from its beginning. */
  #tail: Buffer = Buffer.alloc(0);

  constructor(dir: string, access: 'read' | 'write') {
    this.dir = dir;
    this.#access = access;
  }

  get #path(): string {
    return path.join(this.dir, 'book.jsonl');
  }

  /** Decides and writes as one, at the time when it is its turn. What it resolves to has been flushed. */
  async write<T>(
    now: () => number,
    decide: (book: Book) => { answer: T; events: readonly NewMeterEvent[] },
  ): Promise<T> {
    try {
      return await this.#write(now, decide);
    } catch (error) {
      throw unusable(error);
    }
  }

  async #write<T>(
    now: () => number,
    decide: (book: Book) => { answer: T; events: readonly NewMeterEvent[] },
  ): Promise<T> {
    makeDir(this.dir);
    const mutex = openMutex(path.join(this.dir, 'book.lock'), bestLockKind());
    let answer: T;
    let file: AppendFile | undefined;
    try {
      try {
        await lockWithin(mutex, lockWaitMs);
        // Several tasks of one process share this object: nothing from here to the append may wait.
        file = this.#openToWrite();
        if (this.#turnPage(now())) {
          file.close();
          file = this.#openToWrite();
        }
        const decided = decide(this.#book);
        ({ answer } = decided);
        const at = new Date(now()).toISOString();
        this.#append(
          file,
          decided.events.map((event): MeterEvent => ({ v: 1, at, ...event })),
        );
      } finally {
        mutex.close(); // and with it the lock
      }
      await file.flush();
      return answer;
    } finally {
      file?.close();
    }
  }

  /** As it is now. Takes no lock and writes nothing. */
  read(): Book {
    try {
      this.#open()?.close();
      return this.#book;
    } catch (error) {
      throw unusable(error);
    }
  }

  #openToWrite(): AppendFile {
    if (sizeAndInode(this.#path) === undefined) createFile(this.#path, '', { sync: true });
    const file = this.#open();
    if (!file) throw new Error(`${this.#path} is not open`);
    if (file.size() > this.#offset) file.truncate(this.#offset); // an unfinished write
    return file;
  }

  /** Reads the book to its end. Undefined: there is none. A page that another process began is read from its beginning. */
  #open(): AppendFile | undefined {
    const file = AppendFile.open(this.#path, this.#access);
    try {
      if (!file || this.#ino !== file.ino || !this.#isAsRead(file)) this.#forget();
      this.#ino = file?.ino;
      if (file) this.#readOn(file);
      return file;
    } catch (error) {
      file?.close();
      this.#forget();
      throw error;
    }
  }

  /** Every line that is complete and that we have not seen. */
  #readOn(file: AppendFile): void {
    const size = file.size();
    if (size <= this.#offset) return;
    const bytes = Buffer.alloc(size - this.#offset);
    const length = file.read(bytes, this.#offset);
    let start = 0;
    for (let end = bytes.indexOf(10); end >= 0 && end < length; end = bytes.indexOf(10, start)) {
      const event = decodeLine(bytes, start, end) as MeterEvent | undefined;
      if (event?.v !== 1) {
        // The last line may be half of a write that was promised to nobody; one before others was changed by somebody.
        if (bytes.indexOf(10, end + 1) < 0) break;
        throw spoiled(this.#path, this.#lines + 1);
      }
      this.#take(event);
      start = end + 1;
    }
    this.#advance(bytes.subarray(0, start));
  }

  #advance(read: Buffer): void {
    this.#offset += read.length;
    this.#tail = Buffer.from(Buffer.concat([this.#tail, read.subarray(-tailBytes)]).subarray(-tailBytes));
  }

  #isAsRead(file: AppendFile): boolean {
    const there = Buffer.alloc(this.#tail.length);
    const length = file.read(there, this.#offset - there.length);
    return there.subarray(0, length).equals(this.#tail);
  }

  #take(event: MeterEvent): void {
    this.#book = applyEvent(this.#book, event);
    this.#day ??= dayOf(event.at);
    this.#lines += 1;
  }

  /**
   * A page holds a day: the old one is kept whole, and what is still of use is carried over. So are the calls of the day
   * that was: who has another time zone, or set a clock back that was ahead, is still in it.
   */
  #turnPage(now: number): boolean {
    const day = dayOf(now);
    if (this.#day === undefined || this.#day >= day) return false;
    const last = this.#day;
    const kept = Object.entries(this.#book.calls).filter(
      ([, { used, lost, at }]) => (!used && !lost) || dayOf(at) >= last,
    );
    const book: Book = { ...this.#book, calls: Object.fromEntries(kept) };
    const carried: MeterEvent = { v: 1, at: new Date(now).toISOString(), type: 'carried', book };
    keepPage(this.dir, this.#path, last);
    replaceFile(this.#path, encodeLine(carried), { sync: true });
    return true;
  }

  #append(file: AppendFile, events: readonly MeterEvent[]): void {
    if (events.length === 0) return;
    const bytes = Buffer.from(events.map((event) => encodeLine(event)).join(''));
    const { error } = file.append(bytes);
    if (error !== undefined) {
      file.truncate(this.#offset);
      throw error as Error;
    }
    this.#advance(bytes);
    for (const event of events) this.#take(event);
  }

  #forget(): void {
    this.#ino = undefined;
    this.#offset = 0;
    this.#lines = 0;
    this.#book = emptyBook();
    this.#day = undefined;
    this.#tail = Buffer.alloc(0);
  }
}

const page = /^book-\d{4}-\d\d-\d\d(?:\.\d+)?\.jsonl$/;

/** A second name first: whoever dies before the new page is there leaves the old one where it was. */
function keepPage(dir: string, file: string, day: string): void {
  for (let n = 1; ; n += 1) {
    const old = path.join(dir, `book-${day}${n === 1 ? '' : `.${n}`}.jsonl`);
    if (linkFile(file, old) || sizeAndInode(old)?.ino === sizeAndInode(file)?.ino) return;
  }
}

/**
 * Every event that was ever written, the oldest first, for whoever adds them up. `damaged` hears of lines that cannot be
 * read; the very last one may be half of a write that was promised to nobody.
 */
export function* wholeBook(
  dir: string,
  damaged?: (file: string, line: number) => void,
): Generator<MeterEvent> {
  const pages = listDir(dir).filter((name) => page.test(name));
  const files = [...pages.toSorted(byDay), 'book.jsonl'].map((name) => path.join(dir, name));
  const seen = new Set<number>();
  for (const file of files) {
    const ino = sizeAndInode(file)?.ino;
    const bytes = ino === undefined || seen.has(ino) ? undefined : readBytes(file);
    if (ino === undefined || !bytes) continue;
    seen.add(ino);
    let start = 0;
    let line = 1;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      const event = decodeLine(bytes, start, end) as MeterEvent | undefined;
      if (event) yield event;
      else if (file !== files.at(-1) || bytes.indexOf(10, end + 1) >= 0) damaged?.(file, line);
      start = end + 1;
      line += 1;
    }
  }
}

function byDay(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

/** A book that cannot be opened is no fault of the task that asks: nothing runs until it can, and nothing fails for it. */
function unusable(error: unknown): unknown {
  const isPath = error instanceof DocketError && ['NO_ACCESS', 'BAD_FILE', 'IO'].includes(error.code);
  if (!isPath) return error;
  return new DocketError('BAD_JOURNAL', error.message, error.advice, error.data, { cause: error });
}

function spoiled(file: string, line: number): DocketError {
  return new DocketError(
    'BAD_JOURNAL',
    `${file}:${line}: this line of the account book is not what docket wrote`,
    'mend the line from a backup, or move the file away: then today counts from nothing',
    { path: file, line },
  );
}

/** Somebody will say what it used. If not, that is known when the next docket has read what it left. */
export function isWatched({ by }: Pick<Call, 'by'>): boolean {
  return liveness(by) !== 'dead';
}

/** Every call that was ever written down, as it is now. `damaged` hears of lines that cannot be read. */
export function callsIn(dir: string, damaged?: (file: string, line: number) => void): Call[] {
  const calls = new Map<string, Call>();
  for (const event of wholeBook(dir, damaged)) {
    if (event.type === 'carried')
      for (const [mark, call] of Object.entries(event.book.calls)) calls.set(mark, call);
    if (event.type === 'reserved')
      calls.set(event.mark, { ...event.call, at: calls.get(event.mark)?.at ?? event.at });
    if (event.type === 'voided') calls.delete(event.mark);
    const call = 'mark' in event ? calls.get(event.mark) : undefined;
    if (call && event.type === 'settled') calls.set(event.mark, { ...call, used: event.used });
    if (call && event.type === 'lost') calls.set(event.mark, { ...call, lost: true });
  }
  return [...calls.values()];
}
