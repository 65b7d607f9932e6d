import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { iso } from '../../io/clock.ts';
import { isDirectory } from '../../io/find-up.ts';
import { removeTree, renamePath } from '../../io/folders.ts';
import { exists } from '../../io/links.ts';
import { isOwnFolder, makeOwnFolder } from '../../io/own-folder.ts';
import { walk } from '../../io/walk.ts';
import type { Project } from '../../settings/project.ts';
import { readConfig } from '../../settings/read-config.ts';
import { executeTogether } from '../../store/execute.ts';
import type { Command } from '../../task/command.ts';
import type { Task } from '../../task/schema.ts';
import { isFinal } from '../../task/status.ts';
import { readSole, withOne } from '../one-store.ts';
import { refused } from '../refused.ts';
import type { Retained } from './api.ts';
import { packetLayout } from './format/layout.ts';
import { idProblem, lazyPacketLayout } from './format/name.ts';
import { retentionOf } from './format/retention.ts';
import {
  archiveFolder,
  assertPacket,
  makePacketsFolder,
  packetIds,
  type PacketPlace,
  placeOfPacket,
} from './place.ts';
import { manifestOf, readPacket } from './read.ts';

/** A packet's folder in the archive. `name` is its id; a packet whose id is taken there has a number behind it. */
function archivedPlace(root: string, name: string): PacketPlace {
  const dir = path.join(root, archiveFolder, name);
  const raw = path.join(root, '.docket', 'packet-archive', name);
  return { id: placeOfPacket(root, name).id, dir, own: path.join(dir, 'state', 'docket'), raw };
}

/** The first free name in the archive: `x`, then `x.2`, `x.3` … */
function archiveNameFor(root: string, id: string): string {
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
async function moveToArchive(where: Project, id: string): Promise<string> {
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
function deleteArchived({ root }: Project, id: string): void {
  const { dir, raw } = archivedPlace(root, id);
  if (!isOwnFolder(dir)) throw new DocketError('NOT_FOUND', `${dir} is gone`, 'see .tmp/archive', { id });
  removeTree(dir);
  removeTree(raw);
}

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
  const how = task
    ? `${task.status}, not finished`
    : fix`not readable (${command`packet validate`} says why)`.text;
  throw new DocketError(
    'REFUSED',
    `packet ${id} is ${how}`,
    fix`finish it, give it up (${command`packet cancel ${id}`}), or add --force to archive it as it is`,
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
    fix`wait for it, or end it: ${command`packet cancel ${id}`}`,
    {
      id,
    },
  );
}

/**
 * Does what the policy says, or tells it. The archive comes first, so that nothing is archived and deleted in one go: a
 * person can always take it back in between.
 */
export async function retainPackets(where: Project, dryRun: boolean): Promise<Retained[]> {
  const policy = (await readConfig(where.root, where.env)).packets?.retention ?? {};
  const now = where.clock.now();
  const judged = (task: Task, archived: boolean): Said =>
    retentionOf({ task, retention: manifestOf(task).retention, archived }, policy, now);
  const retained: Retained[] = [];
  for (const id of archivedIds(where.root)) {
    const said = await unlessUnreadable(async () => judged(await readArchived(where, id), true));
    if (said.action === 'delete' && !dryRun) deleteArchived(where, id);
    retained.push({ id, from: 'archive', ...said });
  }
  for (const id of packetIds(where.root)) {
    const said = await unlessUnreadable(async () => judged((await readPacket(where, id)).task, false));
    if (said.action === 'archive' && !dryRun) await moveToArchive(where, id);
    retained.push({ id, from: 'task', ...said });
  }
  return retained;
}

type Said = Pick<Retained, 'action' | 'why'>;

/** What cannot be read is nobody's to clear away. */
async function unlessUnreadable(judge: () => Promise<Said>): Promise<Said> {
  try {
    return await judge();
  } catch (error) {
    if (!(error instanceof DocketError)) throw error;
    return { action: 'keep', why: `it cannot be read: ${error.message}` };
  }
}
