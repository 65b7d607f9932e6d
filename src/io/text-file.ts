import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import { DocketError } from '../errors.ts';
import { attempt } from './io-error.ts';
import { readPlain } from './plain-file.ts';

/** The text of a file that anybody may have put there: a plain file in UTF-8, of a size that can be taken in. */
export function readTextFile(file: string, maxBytes: number): string | undefined {
  const found = attempt('look at', file, () => fs.lstatSync(file, { throwIfNoEntry: false }));
  if (found === undefined) return undefined;
  const data = { path: file };
  if (!found.isFile())
    throw new DocketError('BAD_FILE', `${file} is not a plain file`, 'put a file with the text there', data);
  if (found.size > maxBytes)
    throw new DocketError(
      'TOO_LARGE',
      `${file} has ${found.size} bytes; a text may have ${maxBytes}`,
      'shorten it, and name long files in the text instead',
      data,
    );
  const bytes = readPlain(file, (fd) => fs.readFileSync(fd));
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new DocketError(
    'BAD_FILE',
    `${file} is not valid UTF-8`,
    `save it as UTF-8, or convert it: iconv -f LATIN1 -t UTF-8 ${file}`,
    data,
  );
}

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
