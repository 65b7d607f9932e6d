import type { CST, Node, Pair, YAMLMap } from 'yaml';
import { lineEnd, trimBack } from './lines.ts';
import { yaml } from './yaml.ts';

type CollectionItem = CST.CollectionItem;
type SourceToken = CST.SourceToken;

/** Where a key and its value are in an entry's text. */
export interface Slot {
  key: string;
  start: number;
  /** Behind the colon. */
  colon: number;
  /** Behind the last character of the value, comments and line end not counted. */
  end: number;
  /** Where the next line begins that does not belong to the value. */
  next: number;
  /** A comment between the colon and a value that begins further down, or in a text block's first line. */
  comment: string | undefined;
}

/** The keys of an entry, or undefined when it is not plain lines of `key: value` (a mapping in braces, say). */
export function slotsOf(map: YAMLMap, text: string): Slot[] | undefined {
  if (map.flow || map.srcToken?.type !== 'block-map') return undefined;
  const slots: Slot[] = [];
  for (const pair of map.items) {
    const slot = slotOf(pair as Pair<Node, Node | null>, text);
    if (!slot) return undefined;
    slots.push(slot);
  }
  return slots;
}

function slotOf(pair: Pair<Node, Node | null>, text: string): Slot | undefined {
  const { isScalar } = yaml();
  const source = pair.srcToken;
  const colon = source?.sep?.find((token) => token.type === 'map-value-ind');
  const start = pair.key.range?.[0];
  if (!source || !colon || start === undefined || !isScalar(pair.key) || source.start.some(isExplicit)) {
    return undefined;
  }
  const behind = colon.offset + 1;
  const raw = Math.max(behind, endOf(pair.value));
  const end = trimBack(text, behind, raw);
  // Blank lines that a text block keeps (`|+`) are part of its value; all others may stay where they are.
  const keeps =
    source.value?.type === 'block-scalar' && raw > end && raw === text.lastIndexOf('\n', raw - 1) + 1;
  const next = Math.max(lineEnd(text, end), keeps ? raw : 0);
  return { key: String(pair.key.value), start, colon: behind, end, next, comment: commentIn(source) };
}

function isExplicit(token: SourceToken): boolean {
  return token.type === 'explicit-key-ind' || token.type === 'anchor' || token.type === 'tag';
}

/** The end of a value without the comments behind it: for a nested one, that of its last part. */
function endOf(node: Node | null | undefined): number {
  const { isCollection, isPair } = yaml();
  if (!node) return 0;
  const end = node.range?.[1] ?? 0;
  if (!isCollection(node) || node.flow) return end;
  const last: unknown = node.items.at(-1);
  if (isPair(last)) return Math.max(endOf(last.key as Node), endOf(last.value as Node | null));
  return endOf(last as Node | undefined);
}

function commentIn(source: CollectionItem): string | undefined {
  const tokens = [...(source.sep ?? [])];
  const below = tokens.findIndex((token) => token.type === 'newline');
  // A comment behind a key without a value stays where it is.
  if (source.value?.type === 'block-scalar') tokens.push(...(source.value.props as SourceToken[]));
  else if (below === -1 || !source.value) return undefined;
  const found = tokens.filter((token) => token.type === 'comment').map((token) => token.source);
  return found.length > 0 ? found.join(' ') : undefined;
}
