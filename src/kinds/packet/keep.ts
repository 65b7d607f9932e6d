import { DocketError } from '../../errors.ts';
import { removeTree } from '../../io/folders.ts';
import { walk } from '../../io/walk.ts';
import type { Project } from '../../settings/project.ts';
import { archiveNameFor, moveToArchive, readable } from './archive.ts';
import { archiveFolder, assertPacket, packetIds } from './place.ts';
import { manifestOf } from './view.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Moves packets away, and never over an archived one: a second packet of the same id gets a number. */
export async function archivePackets(
  where: Project,
  which: readonly string[] | { olderThanDays: number },
  { dryRun, force = false }: { dryRun: boolean; force?: boolean },
): Promise<string[]> {
  const ids =
    'olderThanDays' in which ? await finishedBefore(where, which.olderThanDays) : [...new Set(which)];
  for (const id of ids) {
    await assertAtRest(where, id);
    if (!force) await assertFinished(where, id);
  }
  for (const id of ids) {
    const name = dryRun ? archiveNameFor(where.root, id) : await moveToArchive(where, id);
    if (name !== id)
      where.warn(`the archive has a packet ${id} already; this one goes to ${archiveFolder}/${name}`);
  }
  return [...ids];
}

/** For good: the packet, and what its agents printed. */
export async function removePacket(where: Project, id: string, dryRun: boolean): Promise<{ files: number }> {
  const place = assertPacket(where.root, id);
  await assertAtRest(where, id);
  const files = [...walk(place.dir, () => true)].filter(({ kind }) => kind !== 'folder').length;
  if (dryRun) return { files };
  removeTree(place.dir);
  removeTree(place.raw);
  return { files };
}

async function finishedBefore(where: Project, days: number): Promise<string[]> {
  const before = where.clock.now() - days * dayMs;
  const finished: string[] = [];
  for (const id of packetIds(where.root)) {
    const task = await readable(where, id);
    const over = task?.status === 'done' || task?.status === 'canceled';
    if (over && manifestOf(task).retention !== 'keep' && Date.parse(task.updatedAt) < before)
      finished.push(id);
  }
  return finished;
}

/** Who archives by a slip of the keyboard what still has to be done never sees it again. */
async function assertFinished(where: Project, id: string): Promise<void> {
  const task = await readable(where, id);
  if (task?.status === 'done' || task?.status === 'canceled') return;
  const how = task ? `${task.status}, not finished` : 'not readable (docket packet validate says why)';
  throw new DocketError(
    'REFUSED',
    `packet ${id} is ${how}`,
    `finish it, give it up (docket packet cancel ${id}), or add --force to archive it as it is`,
    { id },
  );
}

async function assertAtRest(where: Project, id: string): Promise<void> {
  assertPacket(where.root, id);
  const task = await readable(where, id);
  if (task?.status !== 'running' && task?.status !== 'review') return;
  throw new DocketError(
    'REFUSED',
    `packet ${id} is being worked on`,
    `wait for it, or end it: docket packet cancel ${id}`,
    {
      id,
    },
  );
}
