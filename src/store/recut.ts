import type { Entry, MirrorLayout, Sheet } from '../layout/layout.ts';

/**
 * The sheet of a text that `join` made from this one with other entries, without cutting all of it again: among 10,000
 * entries that costs more than writing the file. Undefined: it has to be cut.
 */
export function recut(
  layout: MirrorLayout,
  text: string,
  was: Sheet,
  kept: readonly Entry[],
): Sheet | undefined {
  const { head, tail } = was;
  if (was.flow || was.wrong || was.entries.length === 0 || kept.length < was.entries.length) return undefined;
  const entries: Entry[] = [];
  let shift = 0;
  let end = 0;
  for (const [at, entry] of kept.entries()) {
    const before = was.entries[at];
    if (entry.file || (before && before.ref !== entry.ref)) return undefined;
    if (entry !== before && !isCutSo(layout, head, entry, kept[at + 1]?.text ?? tail)) return undefined;
    const line = before ? before.line + shift : end;
    entries.push(line === entry.line ? entry : { ...entry, line });
    if (before && entry !== before) shift += linesIn(entry) - linesIn(before);
    if (at >= was.entries.length - 1) end = line + linesIn(entry);
  }
  // What `join` adds between entries would make it longer.
  const length = entries.reduce((sum, entry) => sum + entry.text.length, head.length + tail.length);
  return length === text.length ? { ...was, entries } : undefined;
}

/** It ends where we think, and is known by the name that we know. */
function isCutSo(layout: MirrorLayout, head: string, { ref, text }: Entry, follows: string): boolean {
  const { entries, wrong } = layout.split(head + text + follows);
  const [found] = entries;
  return !wrong && found?.text === text && found.ref === ref && !found.file;
}

function linesIn({ text }: Entry): number {
  return text.split('\n').length - 1;
}
