import fs from 'node:fs';
import { around } from '../fault.ts';
import { attempt } from '../io-error.ts';
import { createPlain } from '../plain-file.ts';
import type { Change } from './pass-on.ts';
import { piecesOf } from './pieces.ts';

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
