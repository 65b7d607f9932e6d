import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { createFile, listFolders } from '../../io/files.ts';
import { isDirectory } from '../../io/find-up.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import type { OnePlace } from '../one-store.ts';
import { idsElsewhere, placeElsewhere } from './elsewhere.ts';

/** Where packets are, from the root, and where finished ones go. */
export const packetsFolder = '.tmp/task';
export const archiveFolder = '.tmp/archive';
/** Where the results of `packet review` go unless its caller names a folder. */
export const reviewFolder = '.tmp/post-impl';

export interface PacketPlace extends OnePlace {
  /** What agents print as it is, secrets included: it never lies in the packet. */
  raw: string;
}

/** Where a packet keeps what docket saw of its work. */
export const proofFolder = ['state', 'docket', 'evidence'];

const idShape = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const idAdvice =
  'use up to 128 letters, digits, ".", "_" and "-", and begin with a letter or digit (docket packet list shows what is there)';

/** Ids come from people and models: nothing is looked up before one is known to be no path. */
export function placeOfPacket(root: string, id: string): PacketPlace {
  if (!idShape.test(id) || id.includes('..')) {
    const said = JSON.stringify(id.slice(0, 60));
    throw new DocketError('INVALID', `${said} is no packet id`, idAdvice, { id: said });
  }
  const usual = path.join(root, packetsFolder, id);
  const dir = isDirectory(usual) ? usual : (placeElsewhere(root, id) ?? usual);
  return { id, dir, own: path.join(dir, 'state', 'docket'), raw: path.join(root, '.docket', 'packet', id) };
}

/** Its folder from the root, with forward slashes. */
export function folderOfPacket(root: string, id: string): string {
  return path.relative(root, placeOfPacket(root, id).dir).replaceAll(path.sep, '/');
}

export function assertPacket(root: string, id: string): PacketPlace {
  const place = placeOfPacket(root, id);
  if (isDirectory(place.dir)) return place;
  const archived = `${archiveFolder}/${id}`;
  if (isArchived(root, id))
    throw new DocketError(
      'NOT_FOUND',
      `packet ${id} is archived: it lies in ${archived}`,
      `to work on it, move it back into ${packetsFolder}/, under the task_id in its manifest.yaml; docket packet status ${id} shows it as it is`,
      { id, archived },
    );
  throw new DocketError(
    'NOT_FOUND',
    `there is no packet ${id} in ${packetsFolder}`,
    'see docket packet list, or make one with docket packet new',
    { id },
  );
}

export function isArchived(root: string, id: string): boolean {
  return isDirectory(path.join(root, archiveFolder, id));
}

export function packetIds(root: string): string[] {
  const usual = listFolders(path.join(root, packetsFolder)).filter((name) => idShape.test(name));
  return [...new Set([...usual, ...idsElsewhere(root)])];
}

/** Made for packets: out of version control, unless people say otherwise in its `.gitignore`. One that is there is theirs. */
export function makePacketsFolder(
  root: string,
  folder: typeof packetsFolder | typeof archiveFolder | typeof reviewFolder,
): string {
  const isNew = !isDirectory(path.join(root, folder));
  const made = makeOwnFolder(root, ...folder.split('/'));
  if (isNew) createFile(path.join(made, '.gitignore'), '*\n');
  return made;
}
