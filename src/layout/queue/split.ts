import type { Entry, Sheet, Wrong } from '../layout.ts';
import { lineEnd } from '../yaml/lines.ts';
import { cutItems, type Cut, type Item } from './cut.ts';
import { edgeOf, findList } from './list.ts';
import { hard } from './name.ts';
import { nameIn } from './read.ts';
import { namelessRef, refOf } from './ref.ts';
import { locate, noList, tailProblem } from './whole.ts';

/**
 * Cuts tasks.yaml into what stands before the list, its items, and what follows. Nothing is parsed unless the file is
 * written in an unusual way. A sheet without entries keeps all its text in `tail`: only `join` knows where a first
 * entry goes.
 */
export function split(text = ''): Sheet {
  const list = findList(text);
  if (list.kind === 'blank' || list.kind === 'empty') return { ...bare(text), ...hidden(text, list) };
  if (list.kind === 'missing') return { ...bare(text), wrong: noList(text) };
  const cut = list.kind === 'block' ? cutItems(text, list.at, list.line) : undefined;
  return cut ? sheet(text, cut) : splitSlowly(text);
}

function splitSlowly(text: string): Sheet {
  const place = locate(text);
  if ('message' in place) return { ...bare(text), wrong: place };
  const cut = cutItems(text.slice(0, place.until), place.from, place.line);
  return cut ? sheet(text, cut) : { ...bare(text), wrong: uncut(place.line) };
}

function bare(text: string): Sheet {
  return { head: '', entries: [], tail: text };
}

function sheet(text: string, { items, tail }: Cut): Sheet {
  const rest = text.slice(tail);
  const wrong = hasContent(rest) ? tailProblem(text, tail) : undefined;
  if (wrong) return { ...bare(text), wrong };
  return { head: text.slice(0, items[0]?.start), entries: entriesOf(text, items), tail: rest };
}

/** An empty list with other keys below it: make sure that they hide no second list. */
function hidden(text: string, list: { kind: string; at?: number }): { wrong?: Wrong } {
  const wrong =
    list.at !== undefined && hasContent(text.slice(list.at)) ? tailProblem(text, list.at) : undefined;
  return wrong ? { wrong } : {};
}

function hasContent(text: string): boolean {
  for (let at = 0; at < text.length;) {
    const end = lineEnd(text, at);
    if (edgeOf(text, at, end) !== 'nothing') return true;
    at = end;
  }
  return false;
}

function entriesOf(text: string, items: readonly Item[]): Entry[] {
  const seen = new Map<string, number>();
  return items.map((item, index) => {
    const piece = text.slice(item.start, item.end);
    const name = item.name === hard ? nameIn(piece) : item.name;
    if (name === undefined || name === '')
      return { ref: namelessRef(index + 1), text: piece, line: item.line };
    const nth = (seen.get(name) ?? 0) + 1;
    seen.set(name, nth);
    return { ref: refOf(name, nth), text: piece, line: item.line };
  });
}

function uncut(line: number): Wrong {
  return {
    message: 'Invalid tasks.yaml: the list of tasks cannot be told apart by its indentation',
    fix: 'Indent every "- " of the list alike, and everything inside an item deeper than its "- ".',
    line,
    column: 1,
  };
}
