import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { isDirectory } from '../../io/find-up.ts';
import { renamePath } from '../../io/folders.ts';
import { exists } from '../../io/links.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { readSmallFile, writePlain } from '../../io/plain-file.ts';
import { endLeftover, workingBelow } from '../../io/process/leftovers.ts';
import type { Project } from '../../settings/project.ts';
import { factsOf } from '../../store/upkeep/store-files.ts';
import type { Task } from '../../task/schema.ts';
import type { PacketPlace } from './place.ts';

/** Where the folders of deleted packets go when a packet of the same id begins. */
const oldFolder = 'packet-old';
/** `tree/commands/0` and `attempts/<stage>/<n>` are the deepest. */
const levels = 4;

/**
 * A packet that was deleted and made again has the id of the first one, whose attempts and snapshots are still in
 * `.docket/packet/<id>/`. That folder belongs to one life of a packet: it notes the id of the store in the packet's own
 * `state/docket/`. The folder of another life is moved away, and its agents are ended; nothing of it is adopted.
 */
export async function claimRawFolder(where: Project, place: PacketPlace, task: Task): Promise<void> {
  const life = factsOf({ root: place.dir, dir: place.own, layout: {} })?.id;
  const note = path.join(place.raw, 'life');
  const noted = readSmallFile(note)?.trim();
  if (life === undefined || noted === life) return;
  // Folders of earlier versions have no note: attempts in this packet's own journal made this one.
  const isOurs = noted === undefined && Object.keys(task.attempts ?? {}).length > 0;
  if (isDirectory(place.raw) && !isOurs) await setAside(where, place);
  makeOwnFolder(where.root, '.docket', 'packet', place.id);
  writePlain(note, `${life}\n`);
}

async function setAside({ root, warn }: Project, { id, raw }: PacketPlace): Promise<void> {
  const working = workingBelow(raw, levels);
  if (working.some(({ held }) => held))
    throw new DocketError(
      'CONFLICT',
      `a docket process is still running a deleted packet ${id}`,
      fix`wait until it ends, or end it (${command`ps`} shows it), then run this packet again`,
      { id },
    );
  for (const { folder } of working) await endLeftover(folder);
  const folder = makeOwnFolder(root, '.docket', oldFolder);
  let n = 1;
  while (exists(path.join(folder, `${id}.${n}`))) n += 1;
  renamePath(raw, path.join(folder, `${id}.${n}`));
  warn(
    `packet ${id} replaces a deleted packet of the same id; the logs of its agents are now in .docket/${oldFolder}/${id}.${n}`,
  );
}
