import fs from 'node:fs';
import { attempt } from '../io-error.ts';
import { openPlain } from '../plain-file.ts';
import type { Line } from './process.ts';

const pieceBytes = 256 * 1024;
/** A line is decoded and parsed in one go: 4 MiB take about 20 ms. Of a longer one the beginning is kept. */
export const longestLine = 4 * 1024 ** 2;

/** What tells a reader that there is more, or that nothing will come any more. */
export interface Growth {
  readonly ended: boolean;
  /** Resolves when the file may have grown beyond what was seen, or has ended. */
  more(): Promise<void>;
}

/** All lines of a log from its beginning until it has ended, in bounded memory and without holding up the process. */
export async function* readLines(file: string, maxLineBytes: number, growth: Growth): AsyncGenerator<Line> {
  const fd = openPlain(file);
  try {
    const splitter = new LineSplitter(maxLineBytes);
    const piece = Buffer.allocUnsafeSlow(pieceBytes);
    const turn = new Turn();
    for (const place = new Place(fd); ;) {
      // In this order: what was written before the end is read after it.
      const { ended } = growth;
      const length = attempt('read', file, () => place.read(piece));
      if (length === undefined) {
        yield* splitter.end();
      } else if (length > 0) {
        // Lines alone are only microtasks. A piece can hold 262,144 of them: others get their turn in between, too.
        for (const line of splitter.push(piece.subarray(0, length))) {
          yield line;
          if (turn.isOver()) await turn.next();
        }
        await turn.next();
      } else if (ended) break;
      else await growth.more();
    }
    yield* splitter.end();
  } finally {
    fs.closeSync(fd);
  }
}

const turnMs = 10;
const linesBetweenLooks = 16;

/** How long lines are handed out before timers, signals and other agents get their turn. */
class Turn {
  #began = performance.now();
  #lines = 0;

  /** Asked after each line, and looks at the clock now and then. */
  isOver(): boolean {
    this.#lines += 1;
    return this.#lines % linesBetweenLooks === 0 && performance.now() - this.#began > turnMs;
  }

  async next(): Promise<void> {
    await new Promise(setImmediate);
    this.#began = performance.now();
  }
}

const tailBytes = 64;

/**
 * How far a file was read. `echo … > /dev/stdout` empties it, and then others go on at its new end: what was there has
 * been read, and what comes is read from the beginning. The last bytes that were read show it.
 */
class Place {
  readonly #fd: number;
  #position = 0;
  #tail = Buffer.alloc(0);

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** Undefined: it was emptied, and the next read begins at its beginning. */
  read(into: Buffer): number | undefined {
    const length = fs.readSync(this.#fd, into, 0, into.length, this.#position);
    // Looked at after the read: then it was not yet emptied when we read.
    if (this.#isRewritten()) {
      this.#position = 0;
      this.#tail = Buffer.alloc(0);
      return undefined;
    }
    this.#position += length;
    if (length > 0) this.#tail = Buffer.from(into.subarray(Math.max(0, length - tailBytes), length));
    return length;
  }

  #isRewritten(): boolean {
    const there = Buffer.alloc(this.#tail.length);
    const length = fs.readSync(this.#fd, there, 0, there.length, this.#position - there.length);
    return !there.subarray(0, length).equals(this.#tail);
  }
}

const newline = 10;
const carriageReturn = 13;
/** How much of a line that is too long is kept as text. */
const headBytes = 64 * 1024;

/**
 * Bytes in pieces, lines out. A line is decoded as a whole, so the borders of the pieces never break a character; what
 * is no UTF-8 becomes U+FFFD. It holds one line at the most, and of one that is too long only the beginning.
 */
export class LineSplitter {
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  /** Bytes of the unfinished line, kept or not. */
  #length = 0;
  #last = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  *push(bytes: Buffer): Generator<Line> {
    let from = 0;
    for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, from)) {
      if (this.#length === 0 && at - from <= this.#maxBytes) {
        const end = at > from && bytes[at - 1] === carriageReturn ? at - 1 : at;
        yield { text: bytes.toString('utf8', from, end) };
      } else {
        this.#keep(bytes.subarray(from, at));
        yield this.#finish();
      }
      from = at + 1;
    }
    if (from < bytes.length) this.#keep(bytes.subarray(from));
  }

  /** What stands behind the last newline. */
  *end(): Generator<Line> {
    if (this.#length > 0) yield this.#finish();
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0) return;
    const fitted = this.#length <= this.#maxBytes;
    this.#length += piece.length;
    this.#last = piece[piece.length - 1] ?? 0;
    // A copy: the reader uses its buffer again.
    if (this.#length <= this.#maxBytes) this.#pieces.push(Buffer.from(piece));
    else if (fitted) this.#pieces = [headOf([...this.#pieces, piece], this.#maxBytes)];
  }

  #finish(): Line {
    const length = this.#last === carriageReturn ? this.#length - 1 : this.#length;
    const [only] = this.#pieces;
    const bytes = this.#pieces.length === 1 && only ? only : Buffer.concat(this.#pieces);
    const isCut = this.#length > this.#maxBytes;
    this.#pieces = [];
    this.#length = 0;
    this.#last = 0;
    return isCut
      ? { text: wholeCharacters(bytes), cut: length }
      : { text: bytes.toString('utf8', 0, length) };
  }
}

/** A copy, so that the rest can be freed. */
function headOf(pieces: readonly Buffer[], maxBytes: number): Buffer {
  return Buffer.from(Buffer.concat(pieces).subarray(0, Math.min(headBytes, maxBytes)));
}

/** Without the first bytes of a character whose rest was cut off. */
function wholeCharacters(bytes: Buffer): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
}
