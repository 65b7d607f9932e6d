import { isDeepStrictEqual } from 'node:util';
import type { Entry, MirrorLayout, Sheet } from '../../layout/layout.ts';
import type { Wrong } from '../../schema/problem.ts';
import type { Command } from '../../task/command.ts';
import type { Fields, Json } from '../../task/json.ts';
import type { Task } from '../../task/schema.ts';
import type { Cut } from './cut-sheet.ts';

/** At which place an entry stands. */
export interface Places {
  get(ref: string): number | undefined;
  set(ref: string, at: number): void;
}

/** Writes what a task's entry should say into it; undefined fields take it out. Wrong: that cannot be done. */
export function placeEntry(
  layout: MirrorLayout,
  entries: (Entry | undefined)[],
  places: Places,
  ref: string,
  fields: Fields | undefined,
  sheet: Sheet,
): Wrong | undefined {
  const at = places.get(ref);
  const entry = at === undefined ? undefined : entries[at];
  if (at === undefined || entry === undefined) {
    if (fields === undefined) return undefined;
    places.set(ref, entries.length);
    entries.push({ ref, text: layout.render(fields, sheet), line: 0 });
  } else if (fields === undefined) {
    entries[at] = undefined;
  } else {
    const parsed = layout.parse(entry);
    const changes = 'fields' in parsed ? differences(parsed.fields, fields) : undefined;
    const patched = changes ? layout.patch(entry, changes) : entry.text;
    if (typeof patched !== 'string') return patched;
    if (changes) entries[at] = { ...entry, text: patched };
  }
  return undefined;
}

function differences(from: Fields, to: Fields): Record<string, Json | undefined> | undefined {
  const changes: Record<string, Json | undefined> = {};
  for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
    if (!isDeepStrictEqual(from[key], to[key])) changes[key] = to[key];
  }
  return Object.keys(changes).length > 0 ? changes : undefined;
}

/**
 * Entries of one file may need each other in any order, and a task can only need what is there: whoever is needed is
 * made first. Those that need each other in a circle stay as they come; the core refuses them, with the circle.
 */
export function inOrder<T extends { commands: readonly Command[] }>(edits: readonly T[]): T[] {
  const makers = new Map<string, T>();
  for (const edit of edits)
    for (const command of edit.commands) if (command.type === 'create') makers.set(command.id, edit);
  const seen = new Set<T>();
  const placed = new Set<T>();
  const open = edits.toReversed();
  for (let edit = open.pop(); edit !== undefined; edit = open.pop()) {
    if (seen.has(edit)) {
      placed.add(edit);
      continue;
    }
    seen.add(edit);
    const first = needsOf(edit).flatMap((id) => makers.get(id) ?? []);
    open.push(edit, ...first.filter((other) => !seen.has(other)));
  }
  return [...placed];
}

function needsOf({ commands }: { commands: readonly Command[] }): readonly string[] {
  return commands.flatMap((command) => {
    if (command.type === 'create') return command.needs ?? [];
    return command.type === 'edit' ? (command.set.needs ?? []) : [];
  });
}

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
