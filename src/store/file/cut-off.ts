import type { Sheet } from '../../layout/layout.ts';

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
