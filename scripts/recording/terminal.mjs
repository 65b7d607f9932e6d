// A terminal of a fixed size that keeps all lines it ever showed. It knows what docket and git print; anything else is an
// error, so that a recording never shows something that a terminal would not.

const sequence =
  // oxlint-disable-next-line no-control-regex -- that is what a terminal reads
  /\u001B\[(\??[\d;]*)([A-Za-z])|\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)|[\u0000-\u001F\u007F]|[^\u0000-\u001F\u007F]/gu;

/** Two columns: East Asian letters and emoji. */
const wide =
  /^[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\u{1F300}-\u{1FAFF}]$/u;
const combining = /^\p{M}$/u;

export class Terminal {
  /** Of cells `{ text, style }`; the visible ones begin at `top`. */
  lines = [[]];
  top = 0;
  #row = 0;
  #column = 0;
  #style = '';
  #columns;
  #rows;

  constructor(columns, rows) {
    this.#columns = columns;
    this.#rows = rows;
  }

  write(text) {
    for (const [all, parameters, command] of text.matchAll(sequence)) {
      if (command !== undefined) this.#control(parameters, command);
      else if (all.length === 1 && (all < ' ' || all === '\u007F')) this.#single(all);
      else if (!all.startsWith('\u001B')) this.#put(all);
    }
  }

  #single(char) {
    if (char === '\n') this.#down();
    else if (char === '\r') this.#column = 0;
    else if (char === '\b') this.#column = Math.max(0, this.#column - 1);
    else if (char === '\t')
      this.#column = Math.min(this.#columns - 1, (Math.floor(this.#column / 8) + 1) * 8);
    else if (char !== '\u0007') throw new Error(`unknown control character ${JSON.stringify(char)}`);
  }

  #put(char) {
    const line = this.#line();
    if (combining.test(char)) {
      const before = line[this.#column - 1];
      if (before) before.text += char;
      return;
    }
    const width = wide.test(char) ? 2 : 1;
    if (this.#column + width > this.#columns) {
      this.#column = 0;
      this.#down();
      return this.#put(char);
    }
    while (line.length < this.#column) line.push({ text: ' ', style: '' });
    line[this.#column] = { text: char, style: this.#style };
    if (width === 2) line[this.#column + 1] = { text: '', style: this.#style };
    this.#column += width;
  }

  #control(parameters, command) {
    const numbers = parameters.split(';').map(Number);
    const count = numbers[0] || 1;
    switch (command) {
      case 'A':
        this.#row = Math.max(this.top, this.#row - count);
        return;
      case 'B':
        this.#row = Math.min(this.top + this.#rows - 1, this.#row + count);
        return;
      case 'C':
        this.#column = Math.min(this.#columns - 1, this.#column + count);
        return;
      case 'D':
        this.#column = Math.max(0, this.#column - count);
        return;
      case 'G':
        this.#column = count - 1;
        return;
      case 'J':
        if (numbers[0] !== 0) break;
        this.#line().length = Math.min(this.#line().length, this.#column);
        for (let row = this.#row + 1; row < this.lines.length; row += 1) this.lines[row] = [];
        return;
      case 'K':
        if (numbers[0] === 2) this.lines[this.#row] = [];
        else if (numbers[0] === 0) this.#line().length = Math.min(this.#line().length, this.#column);
        else break;
        return;
      case 'm':
        this.#style = numbers.reduce(styled, this.#style);
        return;
      case 'h':
      case 'l':
        if (parameters.startsWith('?')) return; // modes of the keyboard and the cursor: nothing to see
    }
    throw new Error(`unknown sequence ESC [${parameters}${command}`);
  }

  #down() {
    this.#row += 1;
    this.top = Math.max(this.top, this.#row - this.#rows + 1);
  }

  #line() {
    while (this.lines.length <= this.#row) this.lines.push([]);
    return this.lines[this.#row];
  }
}

/** A style is a list of words: `b` bold, `d` dim, `cN` a colour. */
function styled(style, code) {
  const words = style.split(' ').filter(Boolean);
  const without = (pattern) => words.filter((word) => !pattern.test(word));
  if (code === 0) return '';
  if (code === 1) return [...without(/^b$/), 'b'].join(' ');
  if (code === 2) return [...without(/^d$/), 'd'].join(' ');
  if (code === 22) return without(/^[bd]$/).join(' ');
  if (code === 39) return without(/^c/).join(' ');
  if (code >= 30 && code <= 37) return [...without(/^c/), `c${code - 30}`].join(' ');
  if (code >= 90 && code <= 97) return [...without(/^c/), `c${code - 90}`].join(' ');
  throw new Error(`unknown style ${code}`);
}
