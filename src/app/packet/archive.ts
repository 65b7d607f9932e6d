import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { iso } from '../../io/clock.ts';
import { isDirectory } from '../../io/find-up.ts';
import { removeTree, renamePath } from '../../io/folders.ts';
import { isOwnFolder, makeOwnFolder } from '../../io/own-folder.ts';
import { walk } from '../../io/walk.ts';
import { packetLayout } from '../../layout/packet/layout.ts';
import { idProblem } from '../../layout/packet/manifest-values.ts';
import { idFor } from '../../layout/packet/name.ts';
import { executeTogether } from '../../store/execute-together.ts';
import type { Command } from '../../task/command.ts';
import type { Task } from '../../task/schema.ts';
import { isFinal } from '../../task/status.ts';
import { readOne, withOne, type Where } from '../one-store.ts';
import { refused } from '../refused.ts';
import { archiveFolder, assertPacket, makePacketsFolder, placeOfPacket, type PacketPlace } from './place.ts';
import { readPacket } from './read.ts';

/** Where a packet goes, and lies. */
function archivedPlace(root: string, id: string): PacketPlace {
  const dir = path.join(root, archiveFolder, id);
  const raw = path.join(root, '.docket', 'packet-archive', id);
  return { id: placeOfPacket(root, id).id, dir, own: path.join(dir, 'state', 'docket'), raw };
}

/** Whatever else lies there, links included, is nobody's to judge. */
export function archivedIds(root: string): string[] {
  const folder = path.join(root, archiveFolder);
  if (!isDirectory(folder)) return [];
  return [...walk(folder, () => false)]
    .filter(({ kind, path: name }) => kind === 'folder' && idProblem(name) === undefined)
    .map(({ path: name }) => name);
}

export function readArchived(where: Where, id: string): Task {
  return readOne(where, archivedPlace(where.root, id), packetLayout, idFor(id)).task;
}

/** Whole, with its history, in which it is noted first: how long it lies there is counted from then. */
export async function moveToArchive(where: Where, id: string): Promise<void> {
  const place = assertPacket(where.root, id);
  const to = archivedPlace(where.root, id);
  const task = readable(where, id);
  if (task && (isFinal(task.status) || task.status === 'failed'))
    await withOne(where, place, packetLayout, async (store) => {
      const command: Command = { type: 'archive', id: task.id, by: 'docket' };
      const noted = await executeTogether(store, task.id, [command], iso(where.clock));
      if (!noted.ok) throw refused(noted.refusal, id);
    });
  // A new packet may get its name: what the agents of this one printed must not lie in its way.
  if (isDirectory(place.raw)) {
    makeOwnFolder(where.root, '.docket', 'packet-archive');
    removeTree(to.raw);
    renamePath(place.raw, to.raw);
  }
  makePacketsFolder(where.root, archiveFolder);
  renamePath(place.dir, to.dir);
}

/** Undefined: its files are not what a packet's should be. */
export function readable(where: Where, id: string): Task | undefined {
  try {
    return readPacket(where, id).task;
  } catch (error) {
    if (error instanceof DocketError) return undefined;
    throw error;
  }
}

/** For good, with what its agents printed. */
export function deleteArchived({ root }: Where, id: string): void {
  const { dir, raw } = archivedPlace(root, id);
  if (!isOwnFolder(dir)) throw new DocketError('NOT_FOUND', `${dir} is gone`, 'see .tmp/archive', { id });
  removeTree(dir);
  removeTree(raw);
}
