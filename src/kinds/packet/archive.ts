import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { iso } from '../../io/clock.ts';
import { isDirectory } from '../../io/find-up.ts';
import { removeTree, renamePath } from '../../io/folders.ts';
import { exists } from '../../io/links.ts';
import { isOwnFolder, makeOwnFolder } from '../../io/own-folder.ts';
import { walk } from '../../io/walk.ts';
import type { Project } from '../../settings/project.ts';
import { executeTogether } from '../../store/execute-together.ts';
import type { Command } from '../../task/command.ts';
import type { Task } from '../../task/schema.ts';
import { isFinal } from '../../task/status.ts';
import { readSole, withOne } from '../one-store.ts';
import { refused } from '../refused.ts';
import { packetLayout } from './format/layout.ts';
import { idProblem } from './format/manifest-values.ts';
import { lazyPacketLayout } from './format/name.ts';
import { archiveFolder, assertPacket, makePacketsFolder, placeOfPacket, type PacketPlace } from './place.ts';
import { readPacket } from './read.ts';

/** A packet's folder in the archive. `name` is its id; a packet whose id is taken there has a number behind it. */
function archivedPlace(root: string, name: string): PacketPlace {
  const dir = path.join(root, archiveFolder, name);
  const raw = path.join(root, '.docket', 'packet-archive', name);
  return { id: placeOfPacket(root, name).id, dir, own: path.join(dir, 'state', 'docket'), raw };
}

/** The first free name in the archive: `x`, then `x.2`, `x.3` … */
export function archiveNameFor(root: string, id: string): string {
  const isFree = (name: string): boolean => !exists(path.join(root, archiveFolder, name));
  if (isFree(id)) return id;
  for (let n = 2; ; n++) {
    const ending = `.${n}`;
    const name = `${id.slice(0, 128 - ending.length)}${ending}`;
    if (isFree(name)) return name;
  }
}

/** Whatever else lies there, links included, is nobody's to judge. */
export function archivedIds(root: string): string[] {
  const folder = path.join(root, archiveFolder);
  if (!isDirectory(folder)) return [];
  return [...walk(folder, () => false)]
    .filter(({ kind, path: name }) => kind === 'folder' && idProblem(name) === undefined)
    .map(({ path: name }) => name);
}

export async function readArchived(where: Project, name: string): Promise<Task> {
  return (await readSole(where, archivedPlace(where.root, name), lazyPacketLayout)).task;
}

/** Whole, with its history, in which it is noted first: how long it lies there is counted from then. Its name there. */
export async function moveToArchive(where: Project, id: string): Promise<string> {
  const place = assertPacket(where.root, id);
  const name = archiveNameFor(where.root, id);
  const to = archivedPlace(where.root, name);
  const task = await readable(where, id);
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
  return name;
}

/** Undefined: its files are not what a packet's should be. */
export async function readable(where: Project, id: string): Promise<Task | undefined> {
  try {
    return (await readPacket(where, id)).task;
  } catch (error) {
    if (error instanceof DocketError) return undefined;
    throw error;
  }
}

/** For good, with what its agents printed. */
export function deleteArchived({ root }: Project, id: string): void {
  const { dir, raw } = archivedPlace(root, id);
  if (!isOwnFolder(dir)) throw new DocketError('NOT_FOUND', `${dir} is gone`, 'see .tmp/archive', { id });
  removeTree(dir);
  removeTree(raw);
}
