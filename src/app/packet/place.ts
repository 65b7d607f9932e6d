import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { createFile, listFolders } from '../../io/files.ts';
import { isDirectory } from '../../io/find-up.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import type { OnePlace } from '../one-store.ts';

/** Where packets are, from the root, and where finished ones go. */
export const packetsFolder = '.tmp/task';
export const archiveFolder = '.tmp/archive';

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
  const dir = path.join(root, packetsFolder, id);
  return { id, dir, own: path.join(dir, 'state', 'docket'), raw: path.join(root, '.docket', 'packet', id) };
}

export function assertPacket(root: string, id: string): PacketPlace {
  const place = placeOfPacket(root, id);
  if (isDirectory(place.dir)) return place;
  const archived = `${archiveFolder}/${id}`;
  if (isArchived(root, id))
    throw new DocketError(
      'NOT_FOUND',
      `packet ${id} is archived: it lies in ${archived}`,
      `move it back to ${packetsFolder}/${id} to work on it; docket packet status ${id} shows it as it is`,
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
  return listFolders(path.join(root, packetsFolder)).filter((name) => idShape.test(name));
}

/** Made for packets: out of version control, unless people say otherwise in its `.gitignore`. One that is there is theirs. */
export function makePacketsFolder(root: string, folder: typeof packetsFolder | typeof archiveFolder): string {
  const isNew = !isDirectory(path.join(root, folder));
  const made = makeOwnFolder(root, ...folder.split('/'));
  if (isNew) createFile(path.join(made, '.gitignore'), '*\n');
  return made;
}
