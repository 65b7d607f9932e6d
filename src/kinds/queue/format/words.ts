import type { Sheet } from '../../../layout/layout.ts';
import type { Fields } from '../../../task/json.ts';
import type { Words } from './record.ts';

/** What tells the words of a record apart. `start_movement` does not: versions of both kinds write it. */
const newerKeys = ['workflow', 'start_step', 'exceeded_max_steps', 'run_slug'];
const specKeys = ['piece', 'exceeded_max_movements'];

/** The words that a record uses; undefined: it has none of those that differ. */
export function wordsIn(fields: Fields): Words | undefined {
  const failure = Object.keys(fields['failure'] ?? {});
  const has = (key: string): boolean => Object.hasOwn(fields, key);
  if (has('workflow')) return 'newer';
  if (specKeys.some(has) || failure.includes('movement')) return 'spec';
  return newerKeys.some(has) || failure.includes('step') ? 'newer' : undefined;
}

const looked = new WeakMap<Sheet, Words>();
/** The newest records say what tool writes the file today. */
const farEnough = 100;

/** The words that a file uses: those of its last record that has any. A file without any gets the spec's. */
export function wordsOf(sheet: Sheet | undefined): Words {
  if (!sheet) return 'spec';
  let words = looked.get(sheet);
  if (!words) looked.set(sheet, (words = wordsSaid(sheet) ?? 'spec'));
  return words;
}

/** Undefined: no record has any of the words that differ. */
export function wordsSaid({ entries }: Sheet): Words | undefined {
  for (let at = entries.length - 1; at >= Math.max(0, entries.length - farEnough); at--) {
    const text = entries[at]?.text ?? '';
    if (keyIn(newerKeys).test(text)) return 'newer';
    if (keyIn(specKeys).test(text)) return 'spec';
  }
  return undefined;
}

/** A key at the start of a line, or behind a dash, a brace or a comma. What a text says in such a place is a word, too. */
function keyIn(keys: readonly string[]): RegExp {
  return new RegExp(String.raw`(?:^[ ]*(?:-[ ]+)?|[{,][ \t]*)["']?(?:${keys.join('|')})["']?[ \t]*:`, 'm');
}
