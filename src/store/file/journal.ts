import { crc32 } from 'node:zlib';
import { AppendFile } from '../../io/append-file.ts';
import { sizeAndInode } from '../../io/files.ts';
import type { Event, Task } from '../../task/schema.ts';
import {
  type Codec,
  chained,
  decodeLine,
  hasValidLineAfter,
  headerIn,
  isEvent,
  isHeader,
  isSealed,
  isStray,
  isTornTail,
  maxLineBytes,
  ownCodec,
  sealIn,
} from '../codec.ts';
import { badLine, gone, located, newerFormat, replacedBy, shrunk, tooLong } from '../journal-error.ts';
import { fittingIn, type Placed, type Position, type Transaction } from './position.ts';

const chunkBytes = 2 * maxLineBytes;
/** So many bytes of a log must be as they were for it to be the same one. Who changes an earlier line moves them. */
const markBytes = 64 * 1024;
const tailBytes = 256;

/** The truth: one line per event, appended by whoever holds the lock, never changed. Readers take no lock. */
export class Journal implements Placed {
  readonly path: string;
  readonly codec: Codec;
  readonly #access: 'read' | 'write';
  #file: AppendFile | undefined;
  #chunk = Buffer.allocUnsafe(0);
  base = 0;
  seq = 0;
  /** The file's length when we last looked. */
  #seenSize = 0;
  offset = 0;
  /** The checksum of the last line of ours, '' before the first; undefined: nobody knows. Of logs only. */
  #last: string | undefined = '';
  /** Lines of a log that are no events, by number. Nothing is made of them. */
  readonly strays: number[] = [];
  /** Everything before this was acknowledged: none of it is the rest of an unfinished write. */
  acknowledged = 0;

  constructor(file: string, access: 'read' | 'write', codec: Codec = ownCodec) {
    this.path = file;
    this.codec = codec;
    this.#access = access;
  }

  get position(): Position {
    const { base, seq, offset } = this;
    if (this.codec.header) return { base, seq, offset };
    const mark = this.crcBefore(offset, markBytes);
    return { base, seq, offset, mark, ...(this.#last !== undefined && { last: this.#last }) };
  }

  /** Tells a log that ends here from another one. */
  crcBefore(offset: number, bytes = tailBytes): number {
    return crc32(this.#readRange(Math.max(0, offset - bytes), offset));
  }

  /** Starts behind what a snapshot holds; false when the snapshot belongs to another journal. */
  seek(position: Position): boolean {
    if (!this.open() || !this.holds(position)) return false;
    ({ seq: this.seq, offset: this.offset, last: this.#last } = position);
    return true;
  }

  /** Is everything before the place as it was, as far as its last bytes tell? */
  holds({ base, offset, seq, mark }: Position): boolean {
    if (base !== this.base || offset > this.size) return false;
    if (!this.codec.header) return mark === this.crcBefore(offset, markBytes);
    // Another seq: the journal was put back from a backup.
    const before = this.#lineBefore(offset);
    const line = decodeLine(before, 0, before.length);
    return seq === (isEvent(line) ? line.seq : isHeader(line) ? line.base : undefined);
  }

  rewind(): void {
    this.close();
    this.offset = 0;
  }

  /**
   * Hands over every complete transaction that we have not seen. What is incomplete stays for the next time.
   * `between` finds the journals that came and went meanwhile. `isEnough`: the rest of a long file may stay as well.
   */
  readNew(
    apply: (event: Event) => void,
    between: (after: number, before: number) => Journal[] = () => [],
    isEnough: () => boolean = () => false,
  ): void {
    if (!this.open()) return;
    const now = sizeAndInode(this.path);
    if (now === undefined) throw gone(this.path);
    this.#seenSize = now.size;
    const replaced = now.ino !== this.#file?.ino;
    if (!replaced && now.size < this.offset) throw shrunk(this.path, this.offset, now.size);
    if (replaced || now.size !== this.offset) this.#readOpenFile(apply, replaced ? undefined : isEnough);
    if (!replaced) return;
    // Compaction put a new file here. The old one, still open, was read to its end; the new one goes on from there.
    let { seq } = this;
    this.rewind();
    if (!this.open()) throw replacedBy(this.path, seq, this.base);
    for (const archived of between(seq, this.base)) {
      archived.readNew((event) => {
        if (event.seq <= seq) return;
        seq = event.seq;
        apply(event);
      });
      archived.close();
    }
    if (this.base !== seq) throw replacedBy(this.path, seq, this.base);
    this.#readOpenFile(apply);
  }

  /** The event before the place where we are. Undefined: there is none, or its line is another tool's. */
  lastRead(): Event | undefined {
    const line = this.#lineBefore(this.offset);
    return this.codec.decode(line, 0, line.length, this.seq);
  }

  /** Under the lock, after readNew: bytes behind the last complete transaction, which nobody was promised. */
  tornBytes(): Buffer | undefined {
    return this.#seenSize <= this.offset ? undefined : this.#readRange(this.offset, this.#seenSize);
  }

  /** A line of another tool, or of somebody's hand, that is whole but for its end gets one. False: it is not whole. */
  endForeign(torn: Buffer): boolean {
    if (this.codec.header || isSealed(torn, 0, torn.length)) return false;
    if (this.codec.decode(torn, 0, torn.length, this.seq + 1) === undefined) return false;
    return this.#file?.append(Buffer.from('\n')).error === undefined;
  }

  cutTorn(): void {
    this.#file?.truncate(this.offset);
  }

  /** Makes lines that follow each other, and those that are there. */
  encoder(): (event: Event, before?: Task) => string {
    return chained(this.codec, this.#last);
  }

  /** Under the lock. Either all of it is in the file, or the complete transactions that fitted, and an error. */
  append(transactions: readonly Transaction[]): { written: number; error?: unknown } {
    if (transactions.length === 0) return { written: 0 };
    if (!this.#file) throw gone(this.path);
    const bytes = Buffer.from(transactions.map(({ text }) => text).join(''));
    const { written, error } = this.#file.append(bytes);
    if (error === undefined) {
      this.#advance(bytes.length, transactions.at(-1));
      return { written: transactions.length };
    }
    // Readers may have taken in the complete ones already, so those stay; only what is behind them is cut off.
    const { whole, size } = fittingIn(transactions, written);
    if (written > size) this.#file.truncate(this.offset + size);
    this.#advance(size, transactions[whole - 1]);
    return { written: whole, error };
  }

  #advance(bytes: number, last: Transaction | undefined): void {
    this.offset += bytes;
    this.seq = last?.seq ?? this.seq;
    if (last && !this.codec.header) this.#last = sealIn(last.text);
  }

  flush(): Promise<void> {
    return this.#file?.flush() ?? Promise.resolve();
  }

  flushSync(): void {
    this.#file?.flushSync();
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }

  get size(): number {
    return this.#file?.size() ?? 0;
  }

  /** False when there is no such file. */
  open(): boolean {
    if (this.#file) return true;
    this.#file = AppendFile.open(this.path, this.#access);
    if (!this.#file) return false;
    const head = this.codec.header ? this.#readRange(0, Math.min(this.size, 4096)) : undefined;
    const end = head?.indexOf(10) ?? -1;
    this.base = head ? headerIn(head, end, this.path).base : this.codec.baseOf(this.#firstLine());
    this.seq = this.base;
    this.offset = end + 1;
    this.#last = '';
    this.strays.length = 0;
    return true;
  }

  #firstLine(): Buffer {
    let head = this.#readRange(0, Math.min(this.size, markBytes));
    if (!head.includes(10)) head = this.#readRange(0, Math.min(this.size, chunkBytes));
    return head.subarray(0, Math.max(0, head.indexOf(10)));
  }

  #readRange(start: number, end: number): Buffer {
    const buffer = Buffer.allocUnsafe(end - start);
    const length = this.#file?.read(buffer, start) ?? 0;
    return buffer.subarray(0, length);
  }

  #readOpenFile(apply: (event: Event) => void, isEnough?: () => boolean): void {
    const file = this.#file;
    if (!file) return;
    const waiting: Event[] = [];
    let at = this.offset;
    let seq = this.seq;
    let last = this.#last;
    const isLog = !this.codec.header;
    for (;;) {
      if (this.#chunk.length === 0) this.#chunk = Buffer.allocUnsafe(chunkBytes);
      const length = file.read(this.#chunk, at);
      const chunk = this.#chunk.subarray(0, length);
      let start = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
        const event = this.codec.decode(chunk, start, end, seq + 1, last);
        if (!event && this.codec.skips && isStray(chunk, start, end)) {
          const line = this.#lineOf(seq + 1) + this.strays.length;
          start = end + 1;
          if (waiting.length > 0) continue;
          this.strays.push(line);
          this.offset = at + start;
          continue;
        }
        if (!event) {
          this.#stopAt(chunk.subarray(start, end), at + start, seq);
          return;
        }
        if (event.v !== 1) throw newerFormat(this.path, this.#lineOf(seq + 1), event.v);
        seq = event.seq;
        if (isLog && isSealed(chunk, start, end)) last = chunk.toString('latin1', end - 10, end - 2);
        start = end + 1;
        if (waiting.length > 0 || event.more !== undefined) {
          waiting.push(event);
          if (event.more !== undefined) continue;
          for (const fact of waiting) this.#apply(fact, apply);
          waiting.length = 0;
        } else {
          this.#apply(event, apply); // most commits: an array for each of them is a tenth of the fold
        }
        this.seq = seq;
        this.#last = last;
        this.offset = at + start;
      }
      if (start === 0 && length > maxLineBytes && length === this.#chunk.length) {
        this.#stopAt(chunk, at, seq);
        return;
      }
      if (length < this.#chunk.length || (waiting.length === 0 && isEnough?.())) return;
      at += start;
    }
  }

  /** A line that is not whole. At the very end it was never acknowledged; anywhere else it is damage. */
  #stopAt(line: Buffer, offset: number, seq: number): void {
    const number = this.#lineOf(seq + 1);
    const hasZeros = isTornTail(line);
    const torn = hasZeros && offset >= this.acknowledged;
    if (!hasZeros && line.length > maxLineBytes) throw tooLong(this.path, number, line.length);
    const isLine = (buffer: Buffer, start: number, end: number): boolean =>
      this.codec.header
        ? decodeLine(buffer, start, end) !== undefined
        : this.codec.decode(buffer, start, end, 1) !== undefined;
    if (torn && !hasValidLineAfter(offset, isLine, (into, at) => this.#file?.read(into, at) ?? 0)) return;
    throw badLine(this.path, number, line, offset);
  }

  #apply(event: Event, apply: (event: Event) => void): void {
    try {
      apply(event);
    } catch (error) {
      throw located(error, this.path, this.#lineOf(event.seq));
    }
  }

  #lineBefore(offset: number): Buffer {
    const before = this.#readRange(Math.max(0, offset - maxLineBytes), offset);
    return before.subarray(before.lastIndexOf(10, -2) + 1, -1);
  }

  /** One event per line, and perhaps a header line: the line number follows from the seq. */
  #lineOf(seq: number): number {
    return seq - this.base + (this.codec.header ? 1 : 0);
  }
}
