import { bytesIn } from '../io/disk.ts';
import { exists } from '../io/links.ts';
import type { DiskFolder } from '../kinds/kind.ts';
import type { Project } from '../settings/project.ts';
import type { KindName } from '../task/kind-names.ts';
import type { Status } from '../task/status.ts';
import { lookIn } from './tasks/find.ts';
import { kinds } from './tasks/kinds.ts';

/** What one task takes up. */
export interface DiskUse {
  layout: KindName;
  id: string;
  /** Absent: the task is gone, or its kind keeps no list. */
  name?: string;
  status?: Status;
  deleted?: true;
  bytes: number;
  parts: { kind: DiskFolder['holds']; path: string; bytes: number }[];
}

/** What each task of the root takes up, the largest first. Looks at what is there, so also at what no task has any more. */
export async function diskUse(where: Pick<Project, 'root' | 'clock'>): Promise<DiskUse[]> {
  const look = lookIn(where);
  const uses = new Map<string, DiskUse>();
  for (const kind of kinds)
    for (const { id, task, holds, path } of await kind.folders(look)) {
      if (!exists(path)) continue;
      const key = `${kind.name} ${id}`;
      const use = uses.get(key) ?? { layout: kind.name, id, ...task, bytes: 0, parts: [] };
      const bytes = bytesIn(path);
      use.bytes += bytes;
      use.parts.push({ kind: holds, path, bytes });
      uses.set(key, use);
    }
  return [...uses.values()].toSorted((a, b) => b.bytes - a.bytes || (a.id < b.id ? -1 : 1));
}
