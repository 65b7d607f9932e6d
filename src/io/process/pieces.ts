import fs from 'node:fs';
import { attempt } from '../io-error.ts';
import { openPlain } from '../plain-file.ts';

const pieceBytes = 1024 * 1024;

/** The bytes of a plain file, in order; each piece is whoever asks for it's own. */
export function* piecesOf(file: string): Generator<Buffer> {
  const fd = openPlain(file);
  try {
    for (;;) {
      const piece = Buffer.allocUnsafe(pieceBytes);
      const length = attempt('read', file, () => fs.readSync(fd, piece));
      if (length === 0) return;
      yield piece.subarray(0, length);
    }
  } finally {
    fs.closeSync(fd);
  }
}
