import type { Entry, Sheet } from '../../../layout/layout.ts';
import type { Wrong } from '../../../schema/problem.ts';
import { position } from '../../../schema/yaml/lines.ts';
import { type Cut, cutItems, hard, type Item } from './cut.ts';
import { findList, hasContent } from './list.ts';
import { namelessRef, refOf } from './names.ts';
import { Links, nameIn } from './read.ts';
import { type Brackets, locate, noList, tailProblem } from './whole.ts';

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
  if (place.kind === 'nothing') return bare(text);
  if (place.kind === 'brackets') return inBrackets(text, place);
  const cut = cutItems(text.slice(0, place.until), place.from, place.line);
  return cut ? sheet(text, cut) : { ...bare(text), wrong: uncut(place.line) };
}

function inBrackets(text: string, { items }: Brackets): Sheet {
  const [first] = items;
  const last = items.at(-1);
  if (!first || !last) return bare(text);
  const links = Links.in(text);
  let [at, line, column] = [0, 1, 1];
  const ref = refs();
  const entries = items.map((item, index): Entry => {
    const moved = position(text.slice(at, item.from), item.from - at, line);
    column = moved.line === line ? column + moved.column - 1 : moved.column;
    [at, line] = [item.from, moved.line];
    const entry = { ref: ref(item.name, index), text: text.slice(item.from, item.to), line, column };
    return links ? { ...entry, file: { links, at } } : entry;
  });
  return { head: text.slice(0, first.from), entries, tail: text.slice(last.to), flow: true };
}

function bare(text: string): Sheet {
  return { head: '', entries: [], tail: text };
}

function sheet(text: string, { items, tail }: Cut): Sheet {
  const rest = text.slice(tail);
  const wrong = hasContent(text, tail) ? tailProblem(text, tail) : undefined;
  if (wrong) return { ...bare(text), wrong };
  return { head: text.slice(0, items[0]?.start), entries: entriesOf(text, items), tail: rest };
}

/** An empty list with other keys below it: make sure that they hide no second list. */
function hidden(text: string, list: { kind: string; at?: number }): { wrong?: Wrong } {
  const wrong = list.at !== undefined && hasContent(text, list.at) ? tailProblem(text, list.at) : undefined;
  return wrong ? { wrong } : {};
}

function entriesOf(text: string, items: readonly Item[]): Entry[] {
  const links = Links.in(text);
  const ref = refs();
  return items.map((item, index) => {
    const entry: Entry = { ref: '', text: text.slice(item.start, item.end), line: item.line };
    if (links) entry.file = { links, at: item.start };
    entry.ref = ref(item.name === hard ? nameIn(entry) : item.name, index);
    return entry;
  });
}

/** Names the entries one after the other. */
function refs(): (name: string | undefined, index: number) => string {
  const seen = new Map<string, number>();
  return (name, index) => {
    if (name === undefined || name === '') return namelessRef(index + 1);
    const nth = (seen.get(name) ?? 0) + 1;
    seen.set(name, nth);
    return refOf(name, nth);
  };
}

function uncut(line: number): Wrong {
  return {
    message: 'Invalid tasks.yaml: the list of tasks cannot be told apart by its indentation',
    fix: 'Indent every "- " of the list alike, and everything inside an item deeper than its "- ".',
    line,
    column: 1,
  };
}
