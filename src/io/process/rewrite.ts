import fs from 'node:fs';
import { around } from '../fault.ts';
import { attempt } from '../io-error.ts';
import { createPlain, openPlain } from '../plain-file.ts';
import type { Change } from './pass-on.ts';

/** Puts the changed text in the place of a file, whole or not at all. What would stay the same is not touched. */
export async function rewriteFile(
  file: string,
  make: () => Change & { readonly changed: boolean },
): Promise<void> {
  const look = make();
  for (const piece of piecesOf(file)) {
    if (piece.includes(0)) return; // no text
    look.push(piece);
    await turn();
  }
  look.end();
  if (!look.changed) return;
  const temp = `${file}.docket-tmp`;
  const fd = createPlain(temp);
  try {
    const change = make();
    for (const piece of piecesOf(file)) {
      write(temp, fd, change.push(piece));
      await turn();
    }
    write(temp, fd, change.end());
  } finally {
    fs.closeSync(fd);
  }
  attempt('replace', file, () => around('rename', file, () => fs.renameSync(temp, file)));
}

function write(file: string, fd: number, bytes: Buffer): void {
  if (bytes.length > 0)
    attempt('write', file, () => around('write', file, () => fs.writeFileSync(fd, bytes)));
}

/** Others get theirs too: a file may have a gigabyte. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const pieceBytes = 1024 * 1024;

/** The bytes of a plain file, in order; each piece is whoever asks for it's own. */
function* piecesOf(file: string): Generator<Buffer> {
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
