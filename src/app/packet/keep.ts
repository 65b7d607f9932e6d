import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { isDirectory } from '../../io/find-up.ts';
import { removeTree, renamePath } from '../../io/folders.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { walk } from '../../io/walk.ts';
import type { Task } from '../../task/schema.ts';
import type { Where } from '../one-store.ts';
import { archiveFolder, assertPacket, packetIds } from './place.ts';
import { manifestOf, readPacket } from './view.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Moves packets away, whole, with their history. Never over one that lies there. */
export function archivePackets(
  where: Where,
  which: readonly string[] | { olderThanDays: number },
  dryRun: boolean,
): string[] {
  const ids = 'olderThanDays' in which ? finishedBefore(where, which.olderThanDays) : which;
  for (const id of ids) assertAtRest(where, id);
  const taken = ids.find((id) => isDirectory(path.join(where.root, archiveFolder, id)));
  if (taken !== undefined)
    throw new DocketError(
      'REFUSED',
      `${archiveFolder}/${taken} is there already`,
      'move that one away first: nothing is ever written over it',
      { id: taken },
    );
  if (dryRun) return [...ids];
  const archive = makeOwnFolder(where.root, ...archiveFolder.split('/'));
  for (const id of ids) renamePath(assertPacket(where.root, id).dir, path.join(archive, id));
  return [...ids];
}

/** For good: the packet, and what its agents printed. */
export function removePacket(where: Where, id: string, dryRun: boolean): { files: number } {
  const place = assertPacket(where.root, id);
  assertAtRest(where, id);
  const files = [...walk(place.dir, () => true)].filter(({ kind }) => kind !== 'folder').length;
  if (dryRun) return { files };
  removeTree(place.dir);
  removeTree(place.raw);
  return { files };
}

function finishedBefore(where: Where, days: number): string[] {
  const before = where.clock.now() - days * dayMs;
  return packetIds(where.root).filter((id) => {
    const task = readable(where, id);
    const over = task?.status === 'done' || task?.status === 'canceled';
    return over && manifestOf(task).retention !== 'keep' && Date.parse(task.updatedAt) < before;
  });
}

function readable(where: Where, id: string): Task | undefined {
  try {
    return readPacket(where, id).task;
  } catch (error) {
    if (error instanceof DocketError) return undefined; // what cannot be read is nobody's to clear away
    throw error;
  }
}

function assertAtRest(where: Where, id: string): void {
  assertPacket(where.root, id);
  const task = readable(where, id);
  if (task?.status !== 'running' && task?.status !== 'review') return;
  throw new DocketError('REFUSED', `packet ${id} is being worked on`, 'wait for it, or end that docket', {
    id,
  });
}
