/**
 * Cuts what comes in into lines. One that is longer than it may be is dropped while it comes, so that nobody fills the
 * memory with it, and stands in the result as undefined.
 */
export class Lines {
  readonly #most: number;
  #parts: Uint8Array[] = [];
  #size = 0;

  constructor(mostBytes: number) {
    this.#most = mostBytes;
  }

  push(chunk: Uint8Array | string): (string | undefined)[] {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    const lines: (string | undefined)[] = [];
    let from = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, from)) {
      this.#keep(bytes.subarray(from, end));
      lines.push(this.#take());
      from = end + 1;
    }
    this.#keep(bytes.subarray(from));
    return lines;
  }

  /** What came after the last line end. */
  rest(): (string | undefined)[] {
    return this.#size === 0 ? [] : [this.#take()];
  }

  #keep(part: Uint8Array): void {
    this.#size += part.length;
    if (this.#size <= this.#most) this.#parts.push(part);
    else this.#parts = [];
  }

  #take(): string | undefined {
    const line = this.#size <= this.#most ? Buffer.concat(this.#parts).toString('utf8') : undefined;
    this.#parts = [];
    this.#size = 0;
    return line;
  }
}

const newline = 0x0a;
