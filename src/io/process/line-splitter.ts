import type { Line } from './process.ts';

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
