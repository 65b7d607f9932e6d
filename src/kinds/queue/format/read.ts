import type { Document, Node, YAMLMap } from 'yaml';
import type { Entry, Parsed } from '../../../layout/layout.ts';
import type { Wrong } from '../../../schema/problem.ts';
import { position } from '../../../schema/yaml/lines.ts';
import { readDocument, jsonOf, keyText, Odd, startOf, yaml } from '../../../schema/yaml/yaml.ts';
import type { Fields, Json } from '../../../task/json.ts';
import { isFlow, itemStart } from './join.ts';
import { type Problem, problemsIn, remarksOn } from './rules.ts';

/** An entry as YAML reads it: its keys with their values, and where each value is in the entry's text. */
export interface Reading {
  fields: Fields;
  map: YAMLMap;
  doc: Document;
  /** How far offsets in `map` are behind those in the entry's text. */
  shift: number;
  /** Offset of a key's value, or of the whole entry for any other word. */
  offsetOf(key: string): number;
}

interface Unreadable {
  problem: string;
  offset: number;
}

/** Enough for any real record, and small enough that aliases of aliases cannot eat the memory. */
const maxNodes = 20_000;

/** The text of an entry, and of what file it is a part. */
type Piece = Pick<Entry, 'text' | 'file'>;

/** Reads one entry. Pure YAML: what the keys mean is not looked at. Never throws. */
export function read(piece: Piece): Reading | Unreadable {
  try {
    return reading(piece);
  } catch (error) {
    if (error instanceof Odd) return { problem: error.message, offset: error.offset };
    return { problem: error instanceof Error ? error.message : String(error), offset: 0 };
  }
}

/** The name of an entry that is written in an unusual way. */
export function nameIn(piece: Piece): string | undefined {
  const found = read(piece);
  const name = 'fields' in found ? found.fields['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

function reading(piece: Piece): Reading | Unreadable {
  const { isMap, isSeq } = yaml();
  // An item of a list in brackets, in brackets of its own: what separates it from others is gone, and all offsets stay.
  const flow = isFlow(piece) ? itemStart(piece.text) : undefined;
  const shift = flow === undefined ? 0 : 1;
  const text =
    flow === undefined ? piece.text : `[${blanked(piece.text.slice(0, flow))}${piece.text.slice(flow)}\n]`;
  const found = readDocument(text);
  const bad = 'doc' in found ? found.bad : found;
  const back = (offset: number): number => Math.min(Math.max(0, offset - shift), piece.text.length);
  if (bad || !('doc' in found)) return { problem: bad?.message ?? '', offset: back(bad?.offset ?? 0) };
  const { doc } = found;
  const list = doc.contents;
  const map = isSeq(list) && list.items.length === 1 ? list.items[0] : undefined;
  if (!isMap(map))
    return { problem: 'Expected an item with keys ("- name: …").', offset: flow ?? startOf(list) };
  const fields = jsonOf(doc, map, maxNodes, (name) => borrowed(piece, name)) as Fields;
  return {
    fields,
    map,
    doc,
    shift,
    offsetOf: (key) => back(startOf(map.items.find((pair) => keyText(pair, doc) === key)?.key ?? map)),
  };
}

function blanked(text: string): string {
  return text.replaceAll(/[^\r\n]/g, ' ');
}

function borrowed({ file }: Piece, name: string): Json | undefined {
  return file?.links instanceof Links ? file.links.valueOf(name, file.at) : undefined;
}

/** What may be an anchor (`&name`). A wrong yes costs an object. */
const anchor = /(?:^|[\s[{,:-])&[^\s,[\]{}]/m;

/** Anchors of one record that others refer to. The whole file is read for it, when it turns out that somebody must know. */
export class Links {
  readonly #text: string;
  #found: { doc: Document; anchors: Named[]; aliases: Named[] } | undefined;

  private constructor(text: string) {
    this.#text = text;
  }

  static in(text: string): Links | undefined {
    return text.includes('&') && anchor.test(text) ? new Links(text) : undefined;
  }

  /** What a name stands for at a place of the file; undefined: nothing. */
  valueOf(name: string, at: number): Json | undefined {
    const { doc, anchors } = this.#look();
    const node = anchors.findLast((one) => one.name === name && one.at < at)?.node;
    return node && jsonOf(doc, node, maxNodes);
  }

  /** The names of a piece of the file that something behind it uses. */
  lent(from: number, to: number): string[] {
    const { anchors, aliases } = this.#look();
    const inside = anchors.filter(({ at }) => at >= from && at < to).map(({ name }) => name);
    return inside.filter((name) => aliases.some((alias) => alias.name === name && alias.at >= to));
  }

  #look() {
    if (this.#found) return this.#found;
    const read = readDocument(this.#text);
    const { Document: Empty, isAlias, visit } = yaml();
    const doc = 'doc' in read ? read.doc : new Empty();
    const anchors: Named[] = [];
    const aliases: Named[] = [];
    visit(doc, {
      Node: (_, node) => {
        const at = node.range?.[0] ?? 0;
        if (isAlias(node)) aliases.push({ name: node.source, at, node });
        else if (node.anchor !== undefined) anchors.push({ name: node.anchor, at, node });
      },
    });
    return (this.#found = { doc, anchors, aliases });
  }
}

interface Named {
  name: string;
  at: number;
  node: Node;
}

/** What an entry says, or all that is wrong with it and where in the file. One bad entry says nothing about the others. */
export function parse(entry: Entry): Parsed {
  const found = read(entry);
  if ('problem' in found) {
    const fix = 'Mend this entry; the other tasks of the file are not affected.';
    return { wrong: { message: found.problem, fix, ...placeIn(entry, found.offset) } };
  }
  const problems = problemsIn(found.fields);
  if (problems.length === 0) return { fields: found.fields };
  const [wrong, ...more] = [...problems, ...remarksOn(found.fields)].map(located(entry, found)) as [
    Wrong,
    ...Wrong[],
  ];
  return { wrong: more.length > 0 ? { ...wrong, more } : wrong };
}

/** What is worth knowing about an entry that can be read. */
export function remarks(entry: Entry): Wrong[] {
  const found = read(entry);
  return 'problem' in found ? [] : remarksOn(found.fields).map(located(entry, found));
}

function located(entry: Entry, reading: Reading) {
  return ({ message, fix, key, harmless }: Problem): Wrong => ({
    message,
    fix,
    ...placeIn(entry, reading.offsetOf(key)),
    ...(harmless && { harmless }),
  });
}

function placeIn(entry: Entry, offset: number): { line: number; column: number } {
  const { line, column } = position(entry.text, offset, entry.line);
  return { line, column: line === entry.line ? column + (entry.column ?? 1) - 1 : column };
}
