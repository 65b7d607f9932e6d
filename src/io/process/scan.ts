import type { Change } from './pass-on.ts';
import { piecesOf } from './pieces.ts';

/** A file's text as it would be changed. Undefined: it would stay as it is. 'leave': it would not, and is too long. */
export function scanFile(
  file: string,
  longest: number,
  make: () => Change & { readonly changed: boolean },
): Buffer | 'leave' | undefined {
  const change = make();
  const kept: Buffer[] = [];
  let length = 0;
  const keep = (bytes: Buffer): void => {
    length += bytes.length;
    if (length <= longest) kept.push(Buffer.from(bytes));
  };
  for (const piece of piecesOf(file)) {
    if (piece.includes(0)) return undefined; // no text
    keep(change.push(piece));
  }
  keep(change.end());
  if (!change.changed) return undefined;
  return length <= longest ? Buffer.concat(kept) : 'leave';
}
