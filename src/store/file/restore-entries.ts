import type { Entry, MirrorLayout, Sheet } from '../../layout/layout.ts';
import type { Task } from '../../task/schema.ts';
import type { Cut } from './cut-sheet.ts';

/** Entries that somebody took out of the file, and that are listed all the same, come back as and where they were. */
export function withMissing(
  layout: MirrorLayout,
  { sheet, index }: Cut,
  base: Sheet,
  tasks: readonly Task[],
  wrongs: Readonly<Record<string, unknown>>,
): { entries: readonly Entry[]; index: ReadonlyMap<string, number> } {
  const missing = tasks.flatMap((task) => {
    const ref = layout.ref(task);
    const isMissing = !index.has(ref) && !Object.hasOwn(wrongs, ref);
    return isMissing && layout.describe(task, sheet) ? [ref] : [];
  });
  if (missing.length === 0) return { entries: sheet.entries, index };
  const entries = withEntriesOf(layout, sheet, base, new Set(missing));
  return { entries, index: new Map(entries.map(({ ref }, at) => [ref, at])) };
}

/**
 * The entries of a sheet, with these of an earlier version of it again, each behind the entry that it stood behind. Where
 * the earlier text would not be read in this sheet as it was (another indentation, brackets), they are left out.
 */
function withEntriesOf(
  layout: MirrorLayout,
  sheet: Sheet,
  earlier: Sheet,
  refs: ReadonlySet<string>,
): readonly Entry[] {
  const present = new Set(sheet.entries.map(({ ref }) => ref));
  const behind = new Map<string | undefined, Entry[]>();
  let above: string | undefined;
  for (const entry of earlier.entries) {
    if (present.has(entry.ref)) above = entry.ref;
    else if (refs.has(entry.ref)) {
      const list = behind.get(above);
      if (list) list.push(entry);
      else behind.set(above, [entry]);
    }
  }
  const entries = [
    ...(behind.get(undefined) ?? []),
    ...sheet.entries.flatMap((entry) => [entry, ...(behind.get(entry.ref) ?? [])]),
  ];
  return isReadAlike(layout, { ...sheet, entries }, refs) ? entries : sheet.entries;
}

function isReadAlike(layout: MirrorLayout, sheet: Sheet, refs: ReadonlySet<string>): boolean {
  const again = layout.split(layout.join(sheet));
  if (again.wrong || again.entries.length !== sheet.entries.length) return false;
  return again.entries.every((entry, at) => {
    const wanted = sheet.entries[at];
    if (entry.ref !== wanted?.ref) return false;
    return !refs.has(entry.ref) || 'fields' in layout.parse(entry);
  });
}
