import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { listDir, replaceFile } from '../../io/files.ts';
import { isDirectory } from '../../io/find-up.ts';
import { exists, realFolder } from '../../io/links.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { addOwnPlace, ownPlaces } from '../../io/own-places.ts';
import { readSmallFile } from '../../io/plain-file.ts';
import { idProblem } from './format/manifest-values.ts';
import { manifestFile } from './format/name.ts';

/** A file for each packet that lies outside of `.tmp/task/`: its folder, from the root. */
const notesFolder = ['.docket', 'packet-places'];
/** Folders of docket in which packets lie: other dispatchers make some for reviews. */
const forPackets = new Set(['.tmp/task', '.tmp/post-impl']);
const taken = ['.git', '.takt', ...ownPlaces.filter((place) => !forPackets.has(place))];

/** Packets that lie outside of `.tmp/task/`, by their ids. */
export function idsElsewhere(root: string): string[] {
  return listDir(path.join(root, ...notesFolder)).filter((id) => placeElsewhere(root, id) !== undefined);
}

/** The folder of such a packet; undefined: nobody named one, or there is none any more. */
export function placeElsewhere(root: string, id: string): string | undefined {
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
