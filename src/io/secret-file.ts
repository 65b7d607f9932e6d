import fs from 'node:fs';
import { DocketError } from '../errors.ts';
import { attempt } from './io-error.ts';
import { readTextFile } from './text-file.ts';

const maxBytes = 64 * 1024;

/** A file with secrets in it: one that others can read is refused, as ssh does. Undefined: there is none. */
export function readSecretFile(file: string): string | undefined {
  const stat = attempt('look at', file, () => fs.lstatSync(file, { throwIfNoEntry: false }));
  if (stat?.isFile() && process.platform !== 'win32' && (stat.mode & 0o077) !== 0)
    throw new DocketError(
      'NO_ACCESS',
      `${file} holds secrets, and others than its owner can read or write it (mode ${(stat.mode & 0o777).toString(8)})`,
      `chmod 600 ${file}`,
      { path: file },
    );
  return readTextFile(file, maxBytes);
}
