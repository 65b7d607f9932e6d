import type { Entry, MirrorLayout, Sheet } from '../../layout/layout.ts';
import { same } from '../../schema/same.ts';
import type { Fields } from '../../task/json.ts';
import type { History } from './versions.ts';

/** The version of the mirror that somebody had open when they saved `file`. */
export interface Origin {
  sheet: Sheet;
  /** Does every version that they may have had open list this entry? */
  knew(ref: string): boolean;
  /** They may have had one open that is older than all that docket remembers. */
  isOpenEnded: boolean;
}

/** A whole entry is worth more than any number of half ones. */
const whole = 1000;

/**
 * Entries that a person leaves alone say what they said in the version that the person had open. So that version is the
 * one that says most of what the file says. An entry that is missing in the file says nothing: it was taken out, or it
 * was not there yet. Where several versions fit equally well, `sheet` is the newest of them.
 */
export function findOrigin(
  layout: MirrorLayout,
  latest: Sheet,
  { changes, isComplete }: History,
  file: Sheet,
): Origin {
  const rate = raterFor(layout, file);
  const texts = new Map<string, string | null>(latest.entries.map(({ ref, text }) => [ref, text]));
  const undone = new Map<string, string | null>();
  let [score, best] = [0, 0];
  let sheet = latest;
  let isOldest = changes.length === 0;
  const absent = new Set<string>();
  let missing = new Set<string>();
  changes.forEach(({ before }, index) => {
    for (const [ref, text] of before) {
      score += rate(ref, text) - rate(ref, texts.get(ref) ?? null);
      texts.set(ref, text);
      undone.set(ref, text);
      if (text === null) absent.add(ref);
      else absent.delete(ref);
    }
    if (score < best) return;
    if (score > best) {
      best = score;
      sheet = withTexts(latest, undone);
      missing = new Set();
    }
    for (const ref of absent) missing.add(ref);
    isOldest = index === changes.length - 1;
  });
  const listed = new Set(sheet.entries.map(({ ref }) => ref));
  return {
    sheet,
    knew: (ref) => listed.has(ref) && !missing.has(ref),
    isOpenEnded: !isComplete && isOldest,
  };
}

/** How well the file's entry fits a text that the entry had. */
function raterFor(layout: MirrorLayout, file: Sheet): (ref: string, text: string | null) => number {
  const entries = new Map(file.entries.map((entry) => [entry.ref, entry]));
  const known = new Map<string, number>();
  const fieldsOf = (entry: Entry): Fields | undefined => {
    const parsed = layout.parse(entry);
    return 'fields' in parsed ? parsed.fields : undefined;
  };
  return (ref, text) => {
    const entry = entries.get(ref);
    if (entry === undefined || text === null) return 0;
    if (entry.text === text) return whole;
    const key = JSON.stringify([ref, text]);
    let rating = known.get(key);
    if (rating === undefined) known.set(key, (rating = alike(fieldsOf(entry), fieldsOf({ ...entry, text }))));
    return rating;
  };
}

/** What is null or absent in both says nothing: a person who edits an entry also takes values out. */
function alike(a: Fields | undefined, b: Fields | undefined): number {
  if (!a || !b) return 0;
  if (same({ ...a }, { ...b })) return whole;
  return Object.keys(a).filter((key) => (a[key] ?? null) !== null && same(a[key], b[key])).length;
}

function withTexts(sheet: Sheet, texts: ReadonlyMap<string, string | null>): Sheet {
  const present = new Set(sheet.entries.map(({ ref }) => ref));
  const entries = sheet.entries.flatMap((entry): Entry[] => {
    const text = texts.get(entry.ref);
    return text === undefined ? [entry] : text === null ? [] : [{ ...entry, text }];
  });
  const others = [...texts].flatMap(([ref, text]): Entry[] =>
    text === null || present.has(ref) ? [] : [{ ref, text, line: 1 }],
  );
  return { ...sheet, entries: [...entries, ...others] };
}
