import type { Entry, Sheet } from '../../../layout/layout.ts';
import { same } from '../../../schema/json.ts';
import type { Fields } from '../../../task/json.ts';
import { isFlow } from './flow.ts';
import { join } from './join.ts';
import { parse } from './parse.ts';
import { refOf } from './ref.ts';
import { indentOf, render } from './render.ts';

/** What a task's record says, and the entry that says it, where there is one. */
export interface Archived {
  fields: Fields;
  entry: Entry | undefined;
}

/**
 * A file of the archive with these records in it: as they are written in tasks.yaml, where the two files' indentation
 * is the same. A record is known by its name and the time at which it was made; one that is there already is replaced.
 */
export function addToArchive(sheet: Sheet, records: readonly Archived[]): string {
  const entries: Entry[] = [...sheet.entries];
  const places = new Map(entries.map((entry, at) => [entry.ref, at]));
  for (const { fields, entry } of records) {
    const text = entry && fits(entry, fields, entries) ? entry.text : render(fields, { ...sheet, entries });
    const { ref, at } = placeOf(fields, places, entries);
    entries[at] = { ref, text, line: 0 };
    places.set(ref, at);
  }
  return join({ ...sheet, entries });
}

/** Its text means the same alone (no anchors of others), and stands as far in as the others do. */
function fits({ text, file }: Entry, fields: Fields, entries: readonly Entry[]): boolean {
  if (isFlow({ text }) || !text.endsWith('\n')) return false;
  const indent = indentOf(entries[0]?.text);
  if (indent !== undefined && indent !== indentOf(text)) return false;
  const parsed = file && parse({ ref: '', text, line: 1 });
  return !parsed || ('fields' in parsed && same({ ...parsed.fields }, { ...fields }));
}

/** Where a record is, or goes. */
function placeOf(
  { name, created_at: made }: Fields,
  places: ReadonlyMap<string, number>,
  entries: readonly Entry[],
): { ref: string; at: number } {
  for (let nth = 1; ; nth++) {
    const ref = refOf(name as string, nth);
    const at = places.get(ref);
    const entry = at === undefined ? undefined : entries[at];
    if (at === undefined || entry === undefined) return { ref, at: entries.length };
    const parsed = parse(entry);
    if ('fields' in parsed && parsed.fields['created_at'] === made) return { ref, at };
  }
}
