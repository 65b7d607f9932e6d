import path from 'node:path';
import { familiesIn } from './families.ts';
import { isOrphan } from './orphan.ts';
import { startedBelow } from './started-below.ts';
import { processTable } from './table.ts';

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
