import fs from 'node:fs';
import path from 'node:path';
import { listDir } from '../files.ts';
import { readSmallFile } from '../plain-file.ts';
import { adoptProcess } from './adopt.ts';
import { familiesIn, isOrphan } from './family.ts';
import { places } from './supervisor.ts';
import { processTable } from './table.ts';

/** The mark of what was started in this folder; undefined: nothing was. */
function recordedMark(dir: string): string | undefined {
  return /"mark": "([a-z0-9-]{6,40})"/.exec(readSmallFile(places(dir).start) ?? '')?.[1];
}

/** Ends what an earlier docket started in this folder, if its end was never seen. */
export async function endLeftover(dir: string): Promise<void> {
  const mark = recordedMark(dir);
  if (mark !== undefined) await adoptProcess({ dir, mark })?.stop('canceled');
}

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

/**
 * A folder in which something was started that runs now. `left`: its supervisor runs, and the docket that began it is gone.
 * `held`: the docket process that started it is alive.
 */
interface Working {
  folder: string;
  left: boolean;
  held: boolean;
}

/** Those up to so many levels below this one. */
export function workingBelow(folder: string, levels: number): Working[] {
  const base = path.resolve(folder);
  const { families, nameless } = familiesIn(processTable());
  const working = new Map<string, Working>();
  const lost = new Set<string>();
  for (const { folder: at, mark, supervisor } of families) {
    if (at === undefined || !supervisor) lost.add(mark);
    else if (at.startsWith(base + path.sep)) {
      const left = isOrphan(supervisor);
      working.set(at, { folder: at, left, held: !left });
    }
  }
  if (lost.size === 0 && nameless.length === 0) return [...working.values()];
  // Their supervisor is gone: what was started here, and with which mark, is on disk.
  for (const { folder: at, mark } of startedBelow(base, levels))
    if (!working.has(at) && (lost.has(mark) || nameless.some((row) => row.hasMark(mark))))
      working.set(at, { folder: at, left: false, held: false });
  return [...working.values()];
}
