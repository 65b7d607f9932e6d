import fs from 'node:fs';
import { attempt } from '../io-error.ts';
import { openPlain } from '../plain-file.ts';
import { LineSplitter } from './line-splitter.ts';
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
