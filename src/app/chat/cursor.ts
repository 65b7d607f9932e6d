import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { replaceFile } from '../../io/files.ts';
import { readTextFile } from '../../io/text-file.ts';
import { ownFolder } from '../../layout/board/places.ts';

const name = `${ownFolder}/told.json`;

/** How far the log was told to the chat; undefined: never. */
export function readCursor(root: string): number | undefined {
  const text = readTextFile(path.join(root, name), 1024);
  const found = /^\{"v":1,"seq":(\d{1,15})\}\s*$/.exec(text ?? '');
  if (text === undefined || found) return found ? Number(found[1]) : undefined;
  throw new DocketError(
    'BAD_FILE',
    `${name} does not say how far the log was told`,
    'remove it: then what happens from now on is told',
    { path: name },
  );
}

/** After what was told is in the outbox: killed in between, the same keys go there again, and are there already. */
export function writeCursor(root: string, seq: number): void {
  replaceFile(path.join(root, name), `${JSON.stringify({ v: 1, seq })}\n`, { sync: true });
}
