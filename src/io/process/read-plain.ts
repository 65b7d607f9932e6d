import fs from 'node:fs';
import { attempt } from '../io-error.ts';
import { openPlain } from '../plain-file.ts';

/** Text of a file that an agent wrote: a plain file, of a size that can be taken in. Undefined: there is none. */
export function readPlainText(
  file: string,
  maxBytes: number,
): { text: string } | { bytes: number } | undefined {
  if (fs.lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  const fd = openPlain(file);
  try {
    return attempt('read', file, () => {
      const { size } = fs.fstatSync(fd);
      return size > maxBytes
        ? { bytes: size }
        : { text: fs.readFileSync(fd).subarray(0, maxBytes).toString('utf8') };
    });
  } finally {
    fs.closeSync(fd);
  }
}
