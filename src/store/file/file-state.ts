import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { replaceFile } from '../../io/files.ts';
import { readTextFile } from '../../io/text-file.ts';
import { asciiJson } from '../../schema/ascii-json.ts';
import type { FilePlace, State, StateValue } from '../store.ts';

const longest = 4 * 1024 * 1024;

/** A JSON file for each value: the layout says which, so that other tools find it; else it is docket's own. */
export function fileState({ root, dir, layout }: FilePlace): State {
  const nameOf = (name: string) =>
    layout.log?.state?.[name] ?? path.relative(root, path.join(dir, `${name}.json`));
  return {
    get(name) {
      const file = nameOf(name);
      const text = readTextFile(path.join(root, file), longest);
      return text === undefined ? {} : parsed(file, text);
    },
    /** At once, so before the events of the job: a crash between leaves the value without them, never the reverse. */
    set(name, value) {
      const text = asciiJson(JSON.stringify(value, undefined, 2));
      replaceFile(path.join(root, nameOf(name)), `${text}\n`, { sync: true, own: true });
    },
  };
}

/** What does not parse is somebody's, and stays. */
function parsed(file: string, text: string): StateValue {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as StateValue;
  } catch {
    // said below
  }
  throw new DocketError('BAD_FILE', `${file} is no JSON object`, 'mend it, or remove it', { path: file });
}
