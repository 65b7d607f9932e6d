import { isDeepStrictEqual } from 'node:util';
import type { Entry, MirrorLayout, Sheet } from '../../layout/layout.ts';
import type { Wrong } from '../../schema/problem.ts';
import type { Fields, Json } from '../../task/json.ts';

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
