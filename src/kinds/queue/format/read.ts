import type { Document, YAMLMap } from 'yaml';
import type { Entry } from '../../../layout/layout.ts';
import { Odd, jsonOf, keyText, readDocument, startOf, yaml } from '../../../schema/yaml/yaml.ts';
import type { Fields, Json } from '../../../task/json.ts';
import { isFlow, itemStart } from './flow.ts';
import { Links } from './links.ts';

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

export interface Unreadable {
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
