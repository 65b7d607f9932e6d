import { columnsOf } from '../style.ts';
import { cut } from '../width.ts';
import type { World } from '../world.ts';
import { keysIn, type Key } from './keys.ts';

/** More rows are looked at through a window. */
const mostRows = 15;
const hint = 'arrows or a number, Enter to choose, Esc to go back, q to leave';

/** A list to choose from, drawn on stderr: stdout stays what commands answer. */
export class Menu {
  readonly #world: World;
  readonly #input: AsyncIterator<Uint8Array | string>;
  #waiting: Key[] = [];

  constructor(world: World) {
    this.#world = world;
    this.#input = world.stdin[Symbol.asyncIterator]();
  }

  /** The index of the one that was chosen. */
  async choose(title: string, rows: readonly string[], start = 0): Promise<number | 'back' | 'quit'> {
    this.#world.stdin.setRawMode?.(true);
    let at = Math.min(start, rows.length - 1);
    let typed = 0;
    let drawn = 0;
    try {
      for (;;) {
        drawn = this.#draw(title, rows, at, drawn);
        const key = await this.#key();
        if (key === 'back' || key === 'quit') return key;
        if (key === 'enter') return at;
        if (typeof key === 'object') {
          typed = typed * 10 + key.digit <= rows.length ? typed * 10 + key.digit : key.digit;
          if (typed >= 1 && typed <= rows.length) at = typed - 1;
        } else {
          typed = 0;
          at = (at + (key === 'up' ? rows.length - 1 : 1)) % rows.length;
        }
      }
    } finally {
      this.#world.stdin.setRawMode?.(false);
      this.#erase(drawn);
    }
  }

  /** Nothing more is read: without this the terminal would keep the process alive. */
  async close(): Promise<void> {
    await this.#input.return?.();
  }

  async #key(): Promise<Key> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) return next;
      const { value, done } = await this.#input.next();
      if (done) return 'quit'; // the terminal is gone
      this.#waiting = keysIn(String(value));
    }
  }

  #draw(title: string, rows: readonly string[], at: number, drawn: number): number {
    const { stderr, env } = this.#world;
    this.#erase(drawn);
    const from = Math.max(0, Math.min(at - Math.floor(mostRows / 2), rows.length - mostRows));
    const shown = rows.slice(from, from + mostRows).map((row, index) => {
      const place = from + index;
      return `${place === at ? '>' : ' '} ${String(place + 1).padStart(String(rows.length).length)}  ${row}`;
    });
    const lines = [title, ...shown, hint].map((line) => cut(line, columnsOf(stderr, env) - 1));
    stderr.write(`${lines.join('\n')}\n`);
    return lines.length;
  }

  #erase(lines: number): void {
    if (lines > 0) this.#world.stderr.write(`\u001B[${lines}A\u001B[J`);
  }
}
