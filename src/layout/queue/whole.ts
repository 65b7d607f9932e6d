import type { Document, Pair, YAMLSeq } from 'yaml';
import type { Wrong } from '../layout.ts';
import { readDocument, type Complaint } from '../yaml/document.ts';
import { position } from '../yaml/lines.ts';
import { yaml } from '../yaml/yaml.ts';

/** Where the items of the list are: from the line at `from` to the line at `until`. */
export interface Place {
  from: number;
  until: number;
  line: number;
}

const blockFix = 'Write each task as an item of its own that begins with "- ", below a line "tasks:".';

/** Asks the YAML parser about a file that cannot be cut by its indentation alone. Slow, and seldom needed. */
export function locate(text: string): Place | Wrong {
  try {
    return located(text);
  } catch (error) {
    return wrong(text, 0, error instanceof Error ? error.message : String(error), 'Mend the file by hand.');
  }
}

function located(text: string): Place | Wrong {
  const { isMap, isSeq } = yaml();
  const doc = documentIn(text);
  if ('message' in doc) return complain(text, doc);
  if (!isMap(doc.contents)) return wrong(text, 0, 'it does not hold a list "tasks"', blockFix);
  const pairs = doc.contents.items;
  const index = pairs.findIndex((pair) => keyOf(pair) === 'tasks');
  const list = pairs[index]?.value;
  if (index === -1) return noList(text);
  if (!isSeq(list)) return wrong(text, offsetOf(list), '"tasks" is not a list', blockFix);
  const first = dashOf(list);
  if (first === undefined || doc.contents.flow) {
    return wrong(text, offsetOf(list), 'the list of tasks is written in brackets', blockFix);
  }
  const from = text.lastIndexOf('\n', first - 1) + 1;
  if (text.slice(from, first).trim() !== '')
    return wrong(text, first, 'the list begins on its own key', blockFix);
  const next = pairs[index + 1];
  const until = next ? text.lastIndexOf('\n', offsetOf(next.key) - 1) + 1 : text.length;
  return { from, until, line: position(text, from).line };
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

/** The dash of the first item, or undefined for a list in brackets. */
function dashOf(list: YAMLSeq): number | undefined {
  const token = list.srcToken;
  return token?.type === 'block-seq' ? token.offset : undefined;
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
