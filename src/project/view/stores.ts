import { areSettled, isMissing, stampLength, stampsOf, stampText } from '../../io/stamp.ts';
import type { Project } from '../../settings/project.ts';
import type { Remembered } from './cache.ts';
import { isAnyGone } from './gone.ts';
import type { Sight } from './sight.ts';
import type { ViewFinding } from './types.ts';

export interface StoreCache {
  stamps: string;
  sight: Sight;
}

export interface StoreLook {
  sight: Sight | undefined;
  findings: ViewFinding[];
  /** Absent: it must be read the next time, or what was remembered still holds. */
  fresh?: StoreCache;
  /** What was remembered does not hold. */
  stale?: true;
}

/**
 * The files whose stamps say that a store is as it was: the journal, and docket's description of the store. Of the queue also
 * people's file, and the note of what docket last wrote there. The first two being missing, there is no such store.
 */
const filesOf = {
  queue: [
    '.docket/queue/store.json',
    '.docket/queue/journal.jsonl',
    '.takt/tasks.yaml',
    '.docket/queue/projection.json',
  ],
  board: ['.docket/board/store.json', 'state/tasks.jsonl'],
} as const;

export async function lookAtStore(
  kind: keyof typeof filesOf,
  where: Project,
  { cache }: Remembered,
): Promise<StoreLook> {
  const now = Date.now();
  const files = filesOf[kind].map((file) => `${where.root}/${file}`);
  const stamps = stampsOf(files);
  if (files.every((_, index) => isMissing(stamps, index * stampLength)))
    return { sight: undefined, findings: [] };
  const known = cache[kind];
  const text = stampText(stamps);
  if (known?.stamps === text && !(await isAnyGone(known.sight.rows)))
    return { sight: known.sight, findings: [] };
  const { readWhole } = await import('./read-store.ts');
  const { sight, findings, isQuiet } = await readWhole(kind, where);
  const isSure = sight && isQuiet && findings.length === 0 && areSettled(stamps, now);
  return { sight, findings, ...(isSure ? { fresh: { stamps: text, sight } } : { stale: true }) };
}
