import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { createFile, listDir, listFolders, replaceFile } from '../../io/files.ts';
import { isDirectory } from '../../io/find-up.ts';
import { exists, realFolder } from '../../io/links.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { addOwnPlace, ownPlaces } from '../../io/own-places.ts';
import { readSmallFile } from '../../io/plain-file.ts';
import type { OnePlace } from '../one-store.ts';
import { idProblem, manifestFile, packetIdPattern } from './format/name.ts';

/** A file for each packet that lies outside of `.tmp/task/`: its folder, from the root. */
const notesFolder = ['.docket', 'packet-places'];
/** Folders of docket in which packets lie: other dispatchers make some for reviews. */
const forPackets = new Set(['.tmp/task', '.tmp/post-impl']);
const taken = ['.git', '.takt', ...ownPlaces.filter((place) => !forPackets.has(place))];

/** Packets that lie outside of `.tmp/task/`, by their ids. */
function idsElsewhere(root: string): string[] {
  return listDir(path.join(root, ...notesFolder)).filter((id) => placeElsewhere(root, id) !== undefined);
}

/** The folder of such a packet; undefined: nobody named one, or there is none any more. */
function placeElsewhere(root: string, id: string): string | undefined {
  const noted = idProblem(id) === undefined ? readSmallFile(path.join(root, ...notesFolder, id)) : undefined;
  if (noted === undefined) return undefined;
  const name = noted.trim();
  if (problemWith(root, name) !== undefined || path.posix.basename(name) !== id) return undefined;
  addOwnPlace(name);
  return path.join(root, name);
}

/** Notes a packet in any folder of the project, so that all commands find it by its id, and returns the id. */
export function notePacketAt(root: string, folder: string): string {
  const name = path.relative(root, folder).replaceAll(path.sep, '/');
  const id = path.posix.basename(name);
  const problem = problemWith(root, name) ?? idProblem(id);
  if (problem !== undefined)
    throw new DocketError('USAGE', `${folder}: ${problem}`, 'name the folder of a packet in this project', {
      path: folder,
    });
  const usual = `.tmp/task/${id}`;
  if (name === usual) return id;
  const other = exists(path.join(root, usual)) ? path.join(root, usual) : placeElsewhere(root, id);
  if (other !== undefined && other !== path.join(root, name))
    throw new DocketError(
      'USAGE',
      `there is a packet ${id} in ${path.relative(root, other)} already`,
      'give one of them another name and task_id',
      { id },
    );
  replaceFile(path.join(makeOwnFolder(root, ...notesFolder), id), `${name}\n`);
  return id;
}

/** Names come from the command line, and notes could be an agent's: both are checked, and no link is followed. */
function problemWith(root: string, name: string): string | undefined {
  const parts = name.split('/');
  if (name === '' || path.isAbsolute(name) || parts.includes('..')) return 'is not inside the project';
  if (taken.some((place) => `${name}/`.startsWith(`${place}/`))) return 'is a folder of docket or git';
  const folder = path.join(root, name);
  if (!exists(folder) || !isDirectory(folder)) return 'there is no such folder';
  if (realFolder(folder) !== path.join(realFolder(root), name)) return 'leads through a link';
  return exists(path.join(folder, manifestFile)) ? undefined : 'holds no manifest.yaml';
}

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

const idAdvice = fix`use up to 128 letters, digits, ".", "_" and "-", and begin with a letter or digit (${command`packet list`} shows what is there)`;

/** Ids come from people and models: nothing is looked up before one is known to be no path. */
export function placeOfPacket(root: string, id: string): PacketPlace {
  if (!packetIdPattern.test(id) || id.includes('..')) {
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
      fix`to work on it, move it back into ${packetsFolder}/, under the task_id in its manifest.yaml; ${command`packet status ${id}`} shows it as it is`,
      { id, archived },
    );
  throw new DocketError(
    'NOT_FOUND',
    `there is no packet ${id} in ${packetsFolder}`,
    fix`see ${command`packet list`}, or make one with ${command`packet new`}`,
    { id },
  );
}

export function isArchived(root: string, id: string): boolean {
  return isDirectory(path.join(root, archiveFolder, id));
}

export function packetIds(root: string): string[] {
  const usual = listFolders(path.join(root, packetsFolder)).filter((name) => packetIdPattern.test(name));
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
