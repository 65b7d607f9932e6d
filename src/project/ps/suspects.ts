import path from 'node:path';
import { beganAt, isOrphan } from '../../io/process/orphan.ts';
import { standingIn } from '../../io/process/standing-in.ts';
import type { Row } from '../../io/process/table.ts';
import type { Project } from '../../settings/project.ts';
import type { PsEntry } from './api.ts';
import { usedBy } from './used-by.ts';

/** Orphans without a terminal in docket's own folders: nobody's shell, and nobody knows who started them. */
export function suspectsIn(
  { root, clock }: Project,
  table: readonly Row[],
  known: ReadonlySet<number>,
): PsEntry[] {
  const standing = new Map(standingIn(path.join(root, '.docket')).map(({ pid, name }) => [pid, name]));
  return table.flatMap((row): PsEntry[] => {
    const name = standing.get(row.pid);
    if (name === undefined || known.has(row.pid) || row.pid === process.pid) return [];
    if (row.hasTerminal || !row.isOurs() || !isOrphan(row)) return [];
    const since = beganAt(row, clock.now());
    return [
      {
        state: 'suspect',
        agent: name,
        pid: row.pid,
        ...usedBy([row]),
        cpuPercent: 0,
        ...(since !== undefined && { since: new Date(since).toISOString() }),
        why: 'it works in a folder of docket, and nobody knows who started it',
        end: `kill ${row.pid}`,
      },
    ];
  });
}
