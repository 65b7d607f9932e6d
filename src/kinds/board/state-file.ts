import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { replaceFile } from '../../io/files.ts';
import { readTextFile } from '../../io/text-file.ts';
import { asciiJson } from '../../schema/json.ts';
import { isObject } from '../../task/json.ts';

const longest = 4 * 1024 * 1024;

type Data = Record<string, unknown>;

/** A small file of the board, `{}` where there is none. What does not parse is somebody's, and stays. */
export function readState(root: string, name: string): Data {
  const text = readTextFile(path.join(root, name), longest);
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // said below
  }
  throw new DocketError('BAD_FILE', `${name} is no JSON object`, 'mend it, or remove it', { path: name });
}

/** For who holds the board's lock. In the bytes that the format's other tools write. */
export function writeState(root: string, name: string, value: Data): void {
  const text = asciiJson(JSON.stringify(value, undefined, 2));
  replaceFile(path.join(root, name), `${text}\n`, { sync: true, own: true });
}
