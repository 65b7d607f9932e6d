import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { replaceFile } from '../../io/files.ts';
import { readTextFile } from '../../io/text-file.ts';
import { ownFolder } from '../../kinds/board/format/places.ts';

const name = `${ownFolder}/told.json`;
const pattern = /^\{"v":1,"seq":(\d{1,15})(?:,"group":("(?:[^"\\]|\\.)*"))?\}\s*$/;

/** How far the log was told, and to whom. */
export interface Cursor {
  seq: number;
  group?: string;
}

/** Undefined: nobody was ever told. */
export function readCursor(root: string): Cursor | undefined {
  const text = readTextFile(path.join(root, name), 4096);
  if (text === undefined) return undefined;
  const [found, seq, group] = pattern.exec(text) ?? [];
  if (found !== undefined)
    return { seq: Number(seq), ...(group !== undefined && { group: String(JSON.parse(group)) }) };
  throw new DocketError(
    'BAD_FILE',
    `${name} does not say how far the log was told`,
    'remove it: then what happens from now on is told',
    { path: name },
  );
}

/** After what was told is in the outbox: killed in between, the same keys go there again, and are there already. */
export function writeCursor(root: string, { seq, group }: Cursor): void {
  const text = JSON.stringify({ v: 1, seq, ...(group !== undefined && { group }) });
  replaceFile(path.join(root, name), `${text}\n`, { sync: true });
}
