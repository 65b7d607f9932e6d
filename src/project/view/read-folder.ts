import { changedAt, fingerprint } from '../../io/files.ts';
import { lazyTaskLayout } from '../../kinds/directory/format/log.ts';
import { placeOfTask } from '../../kinds/directory/place.ts';
import { readOne, type FoundOne } from '../../kinds/one-store.ts';
import { idFor, lazyPacketLayout } from '../../kinds/packet/format/name.ts';
import { placeOfPacket } from '../../kinds/packet/place.ts';
import type { Project } from '../../settings/project.ts';
import { inView } from './finding.ts';
import { folderFiles, type FolderKind } from './folder-files.ts';
import { rowOf, type Row } from './row.ts';
import type { ViewFinding } from './types.ts';

/** One task in a folder of its own. The layout is loaded only if somebody has edited its file. */
export async function readFolder(
  kind: FolderKind,
  where: Project,
  name: string,
): Promise<{ row?: Row; findings?: ViewFinding[] }> {
  const { task, findings, fromFile } = await readIn(kind, where, name);
  const told = findings.map((finding) => inView(kind, where.root, finding));
  const row = rowOf(kind, name, task, []);
  return {
    ...(task.removedAt === undefined && {
      row: { ...row, ...(fromFile && madeBy(kind, where.root, name)) },
    }),
    ...(told.length > 0 && { findings: told }),
  };
}

/** What no docket has taken in yet is as old as its file: the journal that would say more is not there. */
function madeBy(kind: FolderKind, root: string, name: string): Pick<Row, 'since' | 'turn'> | undefined {
  const { journal, mirror } = folderFiles[kind];
  const at = fingerprint(journal(root, name)) === undefined ? changedAt(mirror(root, name)) : undefined;
  return at === undefined ? undefined : { since: new Date(at).toISOString(), turn: at };
}

async function readIn(kind: FolderKind, where: Project, name: string): Promise<FoundOne> {
  if (kind === 'packet') {
    const id = idFor(name);
    return readOne(where, placeOfPacket(where.root, name), lazyPacketLayout, id, { only: id, removed: true });
  }
  const place = placeOfTask(where.root, name);
  const found = await readOne(where, place, lazyTaskLayout, name, { only: name, removed: true });
  if (!found.fromFile) return found;
  const { withForeign } = await import('../../kinds/directory/adopt-foreign.ts');
  return { ...found, task: withForeign(found.task, place.dir) };
}
