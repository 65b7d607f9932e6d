import { displayWidth } from '../width.ts';

const escape = '\u001B';
// oxlint-disable-next-line no-control-regex -- the colours that we painted it with
const colours = /\u001B\[\d*m/g;

/**
 * A few lines that are written over in place. The cursor always waits at the beginning of the line below them and is
 * never hidden: whoever ends us, also with SIGKILL, leaves a terminal in which the next prompt is where it should be.
 */
export class Screen {
  #lines: readonly string[] = [];

  /** What makes the terminal show these lines: from the first on that is another. '': it does already. */
  frame(lines: readonly string[], columns: number): string {
    const changed = lines.findIndex((line, at) => line !== this.#lines[at]);
    const from = changed < 0 ? lines.length : changed;
    const bytes = `${back(this.#lines.slice(from), columns)}${lines
      .slice(from)
      .map((line) => `${line}\n`)
      .join('')}`;
    this.#lines = lines;
    return bytes;
  }

  /** What takes them away again. */
  clear(columns: number): string {
    return this.frame([], columns);
  }
}

/** To the beginning of these lines, which are taken away. A terminal that became narrower has wrapped them meanwhile. */
function back(lines: readonly string[], columns: number): string {
  const widths = lines.map((line) => displayWidth(line.replaceAll(colours, '')));
  const rows = widths.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0);
  return rows === 0 ? '' : `\r${escape}[${rows}A${escape}[J`;
}
