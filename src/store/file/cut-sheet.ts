import { isUtf8 } from 'node:buffer';
import type { Entry, MirrorLayout, Sheet } from '../../layout/layout.ts';
import type { Wrong } from '../../schema/problem.ts';

/** `""` is what stands where a sheet as a whole is wrong. No entry has that ref. */
export const wholeFile = '';

/** A mirror's text, cut into its entries. */
export interface Cut {
  text: string;
  sheet: Sheet;
  index: ReadonlyMap<string, number>;
}

export function cutOf(bytes: Buffer | undefined, text: string, layout: MirrorLayout): Cut {
  const wrong = bytes && spoiled(bytes);
  const sheet = wrong ? { head: text, entries: [], tail: '', wrong } : layout.split(text);
  return { text, sheet, index: new Map(sheet.entries.map((entry, at) => [entry.ref, at])) };
}

/**
 * The same after a few entries were patched, without cutting a long file anew. Undefined: more than that changed, or one
 * of them is cut differently now.
 */
export function cutAfter(
  { sheet, index }: Cut,
  text: string,
  kept: readonly Entry[],
  layout: MirrorLayout,
): Cut | undefined {
  const { head, tail, entries: before } = sheet;
  if (sheet.flow || sheet.wrong || before[0]?.file || kept.length !== before.length) return undefined;
  let length = head.length + tail.length;
  let lines = 0;
  const entries: Entry[] = [];
  for (let at = 0; at < kept.length; at += 1) {
    const [was, entry] = [before[at], kept[at]];
    if (!was || !entry) return undefined;
    length += entry.text.length;
    entries.push(lines === 0 ? entry : { ...entry, line: entry.line + lines });
    if (entry === was) continue;
    if (!isCutAlike(layout, head, was.text, entry.text, at === kept.length - 1)) return undefined;
    lines += linesIn(entry.text) - linesIn(was.text);
  }
  return length === text.length ? { text, sheet: { head, entries, tail }, index } : undefined;
}

/** Each is one whole entry, and of the same name: by itself, or before another where it is not the last. */
function isCutAlike(layout: MirrorLayout, head: string, was: string, is: string, isLast: boolean): boolean {
  const [before, after] = [was, is].map((text) => {
    const { entries, tail, wrong } = layout.split(head + (isLast ? text : text + text));
    const isOne = entries.length === (isLast ? 1 : 2) && entries[0]?.text === text && !wrong;
    return isOne && (!isLast || tail === '') ? entries[0]?.ref : undefined;
  });
  return after !== undefined && after === before;
}

function linesIn(text: string): number {
  return text.split('\n').length;
}

/** Bytes that we could not write back as they were, or that a power loss left: we do not touch such a file at all. */
function spoiled(bytes: Buffer): Wrong | undefined {
  const zero = bytes.indexOf(0);
  if (zero >= 0) {
    const fix = 'restore it from version control; or delete it, and docket writes it as the journal knows it';
    return { message: 'zero bytes stand in the file', fix, line: lineAt(bytes, zero), column: 1 };
  }
  if (isUtf8(bytes)) return undefined;
  const fix = 'save it as UTF-8 (iconv -f latin1 -t utf-8)';
  const text = bytes.toString('utf8');
  const line = text.slice(0, text.indexOf('\ufffd')).split('\n').length;
  return { message: 'the file is not valid UTF-8', fix, line, column: 1 };
}

function lineAt(bytes: Buffer, offset: number): number {
  let line = 1;
  for (let at = bytes.indexOf(10); at >= 0 && at < offset; at = bytes.indexOf(10, at + 1)) line += 1;
  return line;
}

/**
 * Is this the beginning of a file whose rest was never saved? An editor that crashes, or a full disk, leaves one,
 * and it looks as if everything behind were deleted. Who deletes the last entries by hand leaves whole lines and
 * whole entries before them. A file that says nothing at all any more is only believed when it says so (`[]`).
 */
export function isCutOff(text: string, sheet: Sheet, baseText: string, base: Sheet): boolean {
  const end = base.entries.at(-1);
  if (sheet.wrong || end === undefined) return false;
  const unfinished = baseText.endsWith('\n') && !text.endsWith('\n');
  const last = sheet.entries.at(-1);
  const was = base.entries.find(({ ref }) => ref === last?.ref);
  const stump = last !== undefined && was !== undefined && isStump(last.text.trimEnd(), was.text.trimEnd());
  if (sheet.entries.some(({ ref }) => ref === end.ref)) return unfinished && stump;
  return unfinished || stump || (last === undefined && baseText.startsWith(text));
}

function isStump(text: string, of: string): boolean {
  return text !== of && of.startsWith(text);
}
