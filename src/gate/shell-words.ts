/** One program with its arguments, as a shell would start it; what only the shell can know stays as it is written. */
export interface Simple {
  words: string[];
  /** Where its output is redirected to. */
  writes: string[];
  /** It reads what the one before it writes. */
  isPiped: boolean;
}

/** A line of shell, cut into its programs: also those in a substitution, in brackets and behind `&&`. */
export function simpleCommands(line: string): Simple[] {
  return new Cutter(line).all;
}

class Cutter {
  readonly all: Simple[] = [];
  readonly #text: string;
  #at = 0;
  #word: string | undefined;
  #now: Simple = { words: [], writes: [], isPiped: false };
  #redirects: 'in' | 'out' | undefined;

  constructor(text: string) {
    this.#text = text;
    while (this.#at < text.length) this.#step();
    this.#endCommand(false);
  }

  #step(): void {
    const char = this.#text[this.#at] ?? '';
    this.#at += 1;
    if (char === '\\') this.#take(this.#text[this.#at++] ?? '');
    else if (char === "'") this.#quoted("'");
    else if (char === '"') this.#quoted('"');
    else if (char === '#' && this.#word === undefined) this.#at = this.#until('\n');
    else if (char === ' ' || char === '\t') this.#endWord();
    else if (char === '>' || char === '<') this.#redirect(char);
    else if (char === '&' && this.#text[this.#at] === '>') this.#endWord();
    else if (char === '|') this.#endCommand(!this.#skip('|'));
    else if (/[;&\n(){}`]/.test(char)) this.#endCommand(false);
    else this.#take(char);
  }

  #take(text: string): void {
    this.#word = (this.#word ?? '') + text;
  }

  #quoted(mark: string): void {
    const start = this.#at;
    while (this.#at < this.#text.length && this.#text[this.#at] !== mark)
      this.#at += mark === '"' && this.#text[this.#at] === '\\' ? 2 : 1;
    const inner = this.#text.slice(start, this.#at);
    this.#at += 1;
    this.#take(mark === '"' ? inner.replaceAll(/\\(["\\$`])/g, '$1') : inner);
    // A substitution runs inside of double quotes too.
    const begin = mark === '"' ? inner.search(/\$\(|`/) : -1;
    if (begin >= 0) this.all.push(...simpleCommands(inner.slice(begin)));
  }

  #redirect(char: string): void {
    if (/^\d+$/.test(this.#word ?? '')) this.#word = undefined; // the number of what is redirected
    this.#endWord();
    this.#redirects = char === '>' ? 'out' : 'in';
    while (this.#skip('>') || this.#skip('<') || this.#skip('|') || this.#skip('&'));
  }

  #endWord(): void {
    const word = this.#word;
    this.#word = undefined;
    if (word === undefined) return;
    if (this.#redirects === 'out') this.#now.writes.push(word);
    else if (this.#redirects === undefined) this.#now.words.push(word);
    this.#redirects = undefined;
  }

  #endCommand(pipes: boolean): void {
    this.#endWord();
    if (this.#now.words.length + this.#now.writes.length > 0) this.all.push(this.#now);
    this.#now = { words: [], writes: [], isPiped: pipes };
  }

  #skip(char: string): boolean {
    if (this.#text[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }

  #until(char: string): number {
    const end = this.#text.indexOf(char, this.#at);
    return end < 0 ? this.#text.length : end;
  }
}
