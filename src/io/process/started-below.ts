import fs from 'node:fs';
import path from 'node:path';
import { listDir } from '../files.ts';
import { recordedMark } from './leftover.ts';

/** Big, and nothing is started in them. In clones agents may write what they like. */
const skipped = new Set(['clones', 'blobs', 'objects', 'archive', 'locks']);

export interface Started {
  folder: string;
  mark: string;
}

/**
 * Every folder up to so many levels below this one in which docket has started something, with its mark. It takes a look
 * at each of them, so it is asked only for what runs and does not say itself where it belongs. Links are not followed.
 */
export function* startedBelow(folder: string, levels: number): Generator<Started> {
  for (const name of listDir(folder)) {
    const at = path.join(folder, name);
    if (skipped.has(name) || !fs.lstatSync(at, { throwIfNoEntry: false })?.isDirectory()) continue;
    const mark = recordedMark(at);
    if (mark !== undefined) yield { folder: at, mark };
    if (levels > 1) yield* startedBelow(at, levels - 1);
  }
}
