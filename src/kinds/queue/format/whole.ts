import type { CST, Document, Pair, YAMLSeq } from 'yaml';
import type { Wrong } from '../../../schema/problem.ts';
import { position } from '../../../schema/yaml/lines.ts';
import { type Complaint, readDocument, yaml } from '../../../schema/yaml/yaml.ts';
import { findList } from './list.ts';

/** Where the items of the list are: from the line at `from` to the line at `until`. */
interface Lines {
  kind: 'lines';
  from: number;
  until: number;
  line: number;
}

/** Of a list in brackets: where it begins, and its items, each with what separates it from the one before. */
export interface Brackets {
  kind: 'brackets';
  open: number;
  items: { from: number; to: number; name: string | undefined }[];
}

/** A word for "nothing" where the list should be. */
interface Nothing {
  kind: 'nothing';
  from: number;
  to: number;
}

const blockFix = 'Write each task as an item of its own that begins with "- ", below a line "tasks:".';

/** Asks the YAML parser about a file that cannot be cut by its indentation alone. Slow, and seldom needed. */
export function locate(text: string): Lines | Brackets | Nothing | Wrong {
  try {
    return located(text);
  } catch (error) {
    return wrong(text, 0, error instanceof Error ? error.message : String(error), 'Mend the file by hand.');
  }
}

function located(text: string): ReturnType<typeof locate> {
  const { isMap, isScalar, isSeq } = yaml();
  const doc = documentIn(text);
  if ('message' in doc) return complain(text, doc);
  if (!isMap(doc.contents)) return wrong(text, 0, 'it does not hold a list "tasks"', blockFix);
  const pairs = doc.contents.items;
  const index = pairs.findIndex((pair) => keyOf(pair) === 'tasks');
  const list = pairs[index]?.value;
  if (index === -1) return noList(text);
  if (isScalar(list) && list.value === null && list.range)
    return { kind: 'nothing', from: list.range[0], to: list.range[1] };
  if (!isSeq(list)) return wrong(text, offsetOf(list), '"tasks" is not a list', blockFix);
  const token = list.srcToken;
  if (token?.type === 'flow-collection') return brackets(list, token);
  const first = token?.type === 'block-seq' ? token.offset : offsetOf(list);
  const from = text.lastIndexOf('\n', first - 1) + 1;
  if (text.slice(from, first).trim() !== '')
    return wrong(text, first, 'the list begins on its own key', blockFix);
  const next = pairs[index + 1];
  const until = next ? text.lastIndexOf('\n', offsetOf(next.key) - 1) + 1 : text.length;
  return { kind: 'lines', from, until, line: position(text, from).line };
}

function brackets(list: YAMLSeq, token: CST.FlowCollection): Brackets {
  const open = token.start.offset + 1;
  let last = open;
  const items = list.items.map((node, index) => {
    const source = token.items[index];
    const begins = source?.start.find(({ type }) => type === 'anchor' || type === 'tag');
    const start = begins?.offset ?? source?.key?.offset ?? source?.value?.offset ?? last;
    // The first one begins where it is: what stands before it belongs to the bracket.
    const from = index === 0 ? start : last;
    last = Math.max(endOf(node), start);
    return { from, to: last, name: nameOf(node) };
  });
  return { kind: 'brackets', open, items };
}

function endOf(node: unknown): number {
  return (yaml().isNode(node) && node.range?.[1]) || 0;
}

function nameOf(node: unknown): string | undefined {
  const { isMap, isScalar } = yaml();
  const pair = isMap(node) ? node.items.find((one) => keyOf(one) === 'name') : undefined;
  const value = isScalar(pair?.value) ? pair.value.value : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** What a file without the key is told: it may be a slip (`task:`), so it is not taken for an empty queue. */
export function noList(text: string): Wrong {
  return wrong(
    text,
    0,
    'it has no key "tasks"',
    'Add a line "tasks: []" or correct the key that should say it.',
  );
}

/** Undefined when the text behind the list is a mapping that hides nothing of it. */
export function tailProblem(text: string, tail: number): Wrong | undefined {
  try {
    const { isMap } = yaml();
    const doc = documentIn(text.slice(tail));
    if ('message' in doc) return complain(text, { ...doc, offset: doc.offset + tail });
    const again = isMap(doc.contents) && doc.contents.items.some((pair) => keyOf(pair) === 'tasks');
    return again ? wrong(text, tail, 'the key "tasks" is there twice', 'Join the two lists.') : undefined;
  } catch (error) {
    return wrong(
      text,
      tail,
      error instanceof Error ? error.message : String(error),
      'Mend the file by hand.',
    );
  }
}

function documentIn(text: string): Document | Complaint {
  const found = readDocument(text);
  return 'doc' in found ? (found.bad ?? found.doc) : found;
}

function complain(text: string, { message, offset }: Complaint): Wrong {
  const { line } = position(text, offset);
  return wrong(text, offset, message, `Mend line ${line}; docket changes nothing in this file until then.`);
}

function keyOf(pair: Pair): unknown {
  return yaml().isScalar(pair.key) ? pair.key.value : undefined;
}

function offsetOf(node: unknown): number {
  return (yaml().isNode(node) && node.range?.[0]) || 0;
}

function wrong(text: string, offset: number, message: string, fix: string): Wrong {
  return { message: `Invalid tasks.yaml: ${message}`, fix, ...position(text, Math.min(offset, text.length)) };
}

/** Where the first item goes in a file that can only hold it in brackets (JSON, a quoted key); undefined: in any other. */
export function emptyPlace(text: string): { head: string; tail: string } | undefined {
  if (findList(text).kind !== 'unsure') return undefined;
  const place = locate(text);
  if ('message' in place || place.kind === 'lines') return undefined;
  if (place.kind === 'brackets') return { head: text.slice(0, place.open), tail: text.slice(place.open) };
  return { head: `${text.slice(0, place.from)}[`, tail: `]${text.slice(place.to)}` };
}
