/** A terminal of so many columns, as far as docket uses one: text, line ends, colours, up, and clearing downwards. */
export class Terminal {
  readonly #columns: number;
  #lines: string[] = [''];
  #row = 0;
  #column = 0;

  constructor(columns: number) {
    this.#columns = columns;
  }

  write(bytes: string): void {
    // oxlint-disable-next-line no-control-regex -- a terminal obeys them
    for (const [token] of bytes.matchAll(/\u001B\[[\d;?]*[A-Za-z]|[^]/gu)) this.#take(token);
  }

  /** What stands there, and in the scrollback above it. */
  get lines(): string[] {
    return this.#lines.map((line) => line.trimEnd());
  }

  get cursor(): { row: number; column: number } {
    return { row: this.#row, column: this.#column };
  }

  #take(token: string): void {
    // oxlint-disable-next-line no-control-regex -- a terminal obeys them
    const [, number = '1', command] = /^\u001B\[([\d;?]*)([A-Za-z])$/.exec(token) ?? [];
    if (token === '\n') {
      this.#row += 1;
      this.#lines[this.#row] ??= '';
    } else if (token === '\r') this.#column = 0;
    else if (command === 'm') return;
    else if (command === 'A') this.#row = Math.max(0, this.#row - Number(number || 1));
    else if (command === 'J') {
      this.#lines = this.#lines.slice(0, this.#row + 1);
      this.#lines[this.#row] = (this.#lines[this.#row] ?? '').slice(0, this.#column);
    } else if (command !== undefined) throw new Error(`a terminal may not know ${JSON.stringify(token)}`);
    else this.#put(token);
  }

  #put(char: string): void {
    if (this.#column >= this.#columns) this.write('\r\n');
    const line = (this.#lines[this.#row] ?? '').padEnd(this.#column);
    this.#lines[this.#row] = line.slice(0, this.#column) + char + line.slice(this.#column + 1);
    this.#column += 1;
  }
}
