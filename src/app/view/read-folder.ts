import { changedAt, fingerprint } from '../../io/files.ts';
import { log as agentmeshLog } from '../../kinds/directory/format/log.ts';
import { placeOfTask } from '../../kinds/directory/place.ts';
import { idFor, manifestFile } from '../../kinds/packet/format/name.ts';
import { placeOfPacket } from '../../kinds/packet/place.ts';
import { readQuietOne } from '../../store/file/quiet-reader.ts';
import type { Finding } from '../../store/store.ts';
import type { Task } from '../../task/schema.ts';
import type { Where } from '../one-store.ts';
import { inView } from './finding.ts';
import { folderFiles, type FolderKind } from './folder-files.ts';
import { rowOf, type Row } from './row.ts';
import type { ViewFinding } from './types.ts';

/** One task in a folder of its own. The layout is loaded only if somebody has edited its file. */
export async function readFolder(
  kind: FolderKind,
  where: Where,
  name: string,
): Promise<{ row?: Row; findings?: ViewFinding[] }> {
  const quiet = await quietTask(kind, where, name);
  const { task, findings } = quiet ? { task: quiet, findings: [] } : await wholeTask(kind, where, name);
  const told = findings.map((finding) => inView(kind, where.root, finding));
  const row = rowOf(kind, name, task, []);
  return {
    ...(task.removedAt === undefined && { row: { ...row, ...(!quiet && madeBy(kind, where.root, name)) } }),
    ...(told.length > 0 && { findings: told }),
  };
}

/** What no docket has taken in yet is as old as its file: the journal that would say more is not there. */
function madeBy(kind: FolderKind, root: string, name: string): Pick<Row, 'since' | 'turn'> | undefined {
  const { journal, mirror } = folderFiles[kind];
  const at = fingerprint(journal(root, name)) === undefined ? changedAt(mirror(root, name)) : undefined;
  return at === undefined ? undefined : { since: new Date(at).toISOString(), turn: at };
}

function quietTask(kind: FolderKind, { root, clock }: Where, name: string): Promise<Task | undefined> {
  if (kind === 'task') {
    const { dir, own } = placeOfTask(root, name);
    return readQuietOne({ root: dir, dir: own, mirror: 'task.yaml', id: name, clock, log: agentmeshLog });
  }
  const { dir, own } = placeOfPacket(root, name);
  return readQuietOne({ root: dir, dir: own, mirror: manifestFile, id: idFor(name), clock });
}

async function wholeTask(
  kind: FolderKind,
  where: Where,
  name: string,
): Promise<{ task: Task; findings: Finding[] }> {
  if (kind === 'task') return (await import('../../kinds/directory/stores.ts')).readTask(where, name);
  return (await import('../../kinds/packet/read.ts')).readPacket(where, name);
}
