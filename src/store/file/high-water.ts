import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { readPart } from '../../io/files.ts';
import { NoteFile } from '../../io/note-file.ts';
import { decodeLine, encodeLine } from '../codec.ts';
import type { Loss } from '../journal-error.ts';
import type { Journal } from './journal.ts';

/**
 * How far a log was on disk when docket last acknowledged a commit. It is written after the flush and not flushed
 * itself, so a crash can leave it behind the log and never in front of it.
 */
export interface HighWater {
  docket: 'mark';
  v: 1;
  /** The log it was made for: a copy elsewhere, perhaps made while docket was writing, is not held to it. */
  path: string;
  base: number;
  seq: number;
  offset: number;
  /** Of the last bytes before the offset. */
  crc: number;
}

const longestMark = 8192;

function highWaterFile(dir: string): string {
  return path.join(dir, 'mark.json');
}

/** Undefined: there is none, it is not whole, or it was made for another path. Nothing is wrong then. */
export function readHighWater(dir: string, journal: string): HighWater | undefined {
  const bytes = bytesOf(highWaterFile(dir));
  return bytes && decodeMark(bytes, journal);
}

function decodeMark(bytes: Buffer, journal: string): HighWater | undefined {
  const end = bytes.indexOf(10);
  const mark = end > 0 ? (decodeLine(bytes, 0, end) as HighWater | undefined) : undefined;
  return mark?.docket === 'mark' && mark.v === 1 && mark.path === journal ? mark : undefined;
}

function bytesOf(file: string): Buffer | undefined {
  try {
    return readPart(file, 0, longestMark);
  } catch {
    return undefined; // as without a mark: whoever may not read the log itself is told so there
  }
}

export function highWaterOf(journal: Journal): HighWater {
  const { path: file, base, seq, offset } = journal;
  return { docket: 'mark', v: 1, path: file, base, seq, offset, crc: journal.crcBefore(offset) };
}

/** The mark of an open log. Its file stays open: opening it for each commit took longer than all else about the mark. */
export class HighWaterFile {
  readonly #file: string;
  #note: NoteFile | undefined;
  #last: { mark: HighWater; bytes: Buffer } | undefined;

  constructor(dir: string) {
    this.#file = highWaterFile(dir);
  }

  /** Several processes may do this at once, each after its own flush: the one that is further counts. */
  raise(mark: HighWater): void {
    const now = this.#read(mark.path);
    if (now && now.seq >= mark.seq && now.base >= mark.base) return;
    this.replace(mark);
  }

  /** Also for a log that somebody has accepted as it is, though it is not as long as the one before. */
  replace(mark: HighWater): void {
    this.#last = { mark, bytes: Buffer.from(encodeLine(mark)) };
    this.#open().write(this.#last.bytes);
  }

  /** Decodes only what another process wrote. */
  #read(journal: string): HighWater | undefined {
    const bytes = this.#open().read();
    const last = this.#last;
    if (last && bytes.subarray(0, last.bytes.length).equals(last.bytes)) return last.mark;
    return decodeMark(bytes, journal);
  }

  #open(): NoteFile {
    return (this.#note ??= new NoteFile(this.#file));
  }

  close(): void {
    this.#note?.close();
    this.#note = undefined;
  }
}

/** What an opened log has lost since the mark was made. Pure but for the look at the log itself. */
export function lossOf(mark: HighWater, journal: Journal): Loss | undefined {
  const { base, size } = journal;
  const { seq } = mark;
  // Compaction began a new log, which continues where the old one ended.
  if (base > mark.base) return base >= seq ? undefined : { kind: 'older', seq };
  if (base < mark.base) return { kind: 'older', seq };
  if (size < mark.offset) return { kind: 'shorter', seq };
  return journal.crcBefore(mark.offset) === mark.crc ? undefined : { kind: 'changed', seq };
}

export interface Flushable {
  flush(): Promise<void>;
  flushSync(): void;
}

const quickMs = 2;

/**
 * Group commit: while one flush is on its way, everybody who comes later waits for one common next flush. After
 * a flush has failed nothing more is promised, because a second flush may report success for lost pages.
 */
export class Flusher {
  readonly #file: Flushable;
  #lastMs = 0;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #failed: DocketError | undefined;

  constructor(file: Flushable) {
    this.#file = file;
  }

  /** Resolves when everything written before this call is on disk. */
  async flushed(): Promise<void> {
    this.check();
    if (!this.#running) return this.#start();
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.#start();
      });
    return this.#next;
  }

  /** Resolves when nobody waits for a flush any more. */
  async idle(): Promise<void> {
    while (this.#next ?? this.#running) await (this.#next ?? this.#running)?.catch(() => undefined);
  }

  check(): void {
    if (this.#failed) throw this.#failed;
  }

  /** The same for those who cannot wait. */
  flushNow(): void {
    this.check();
    try {
      this.#file.flushSync();
    } catch (error) {
      this.#failed = stopped(error);
      throw this.#failed;
    }
  }

  #start(): Promise<void> {
    this.#running = this.#flush().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #flush(): Promise<void> {
    this.check();
    const started = performance.now();
    try {
      // A trip to the thread pool costs as much as a quick disk's flush; a slow one must not hold up the process.
      if (this.#lastMs < quickMs) this.#file.flushSync();
      else await this.#file.flush();
    } catch (error) {
      this.#failed = stopped(error);
      throw this.#failed;
    }
    this.#lastMs = performance.now() - started;
  }
}

function stopped(cause: unknown): DocketError {
  return new DocketError(
    'STORE_STOPPED',
    'the disk refused to flush, so what was written last may be lost; this process stops writing',
    'check the disk, then start docket again: it continues from what is really there',
    {},
    { cause },
  );
}
