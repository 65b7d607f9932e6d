// What a session looked like over time: when the screen had scrolled how far, and what stood in each line from when to when.
import { Terminal } from './terminal.mjs';

/** Nothing is drawn more often than this, and nobody waits longer than that. In seconds. */
const shortest = 0.15;
const longestWait = 0.7;

/**
 * @returns {{ frames: number[], scroll: number[], versions: { line: number, cells: object[], from: number, to: number }[] }}
 * `frames` are times; `from` and `to` are indexes into them, `to` is Infinity for what stays.
 */
export function film(pieces, { columns, rows }) {
  const terminal = new Terminal(columns, rows);
  const [frames, scroll, versions] = [[], [], []];
  const shown = new Map();
  let now = 0;
  for (const [at, piece] of pieces.entries()) {
    terminal.write(piece.text);
    const next = pieces[at + 1];
    const wait = next ? next.at - piece.at : 0;
    if (next && now + wait - (frames.at(-1) ?? -1) < shortest) {
      now += wait;
      continue;
    }
    // Also what came and scrolled away since the last look.
    look(terminal.lines, scroll.at(-1) ?? 0, frames.length, { shown, versions });
    frames.push(now);
    scroll.push(terminal.top);
    now += Math.min(wait, longestWait);
  }
  return { frames, scroll, versions: versions.filter(({ cells }) => cells.length > 0) };
}

function look(lines, first, frame, { shown, versions }) {
  for (let line = first; line < lines.length; line += 1) {
    const cells = trimmed(lines[line]);
    const key = JSON.stringify(cells);
    const before = shown.get(line);
    if (before?.key === key) continue;
    if (before) before.version.to = frame;
    const version = { line, cells, from: frame, to: Infinity };
    versions.push(version);
    shown.set(line, { key, version });
  }
}

function trimmed(cells) {
  const last = cells.findLastIndex(({ text }) => text.trim() !== '');
  return cells.slice(0, last + 1).map(({ text, style }) => ({ text, style }));
}
