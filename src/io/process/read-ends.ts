import fs from 'node:fs';
import { attempt } from '../io-error.ts';
import { openPlain } from '../plain-file.ts';

/** A file's text, of a long one the beginning and the end. */
export function readEnds(file: string, maxBytes: number): string {
  const fd = openPlain(file);
  try {
    return attempt('read', file, () => {
      const { size } = fs.fstatSync(fd);
      if (size <= maxBytes) return piece(fd, 0, size);
      const half = Math.floor(maxBytes / 2);
      // A cut may go through a character.
      const head = piece(fd, 0, half).replace(/\uFFFD+$/, '');
      const tail = piece(fd, size - half, half).replace(/^\uFFFD+/, '');
      return `${head}\n... [${size - 2 * half} bytes left out] ...\n${tail}`;
    });
  } finally {
    fs.closeSync(fd);
  }
}

function piece(fd: number, start: number, length: number): string {
  const bytes = Buffer.alloc(length);
  return bytes.toString('utf8', 0, fs.readSync(fd, bytes, 0, length, start));
}
