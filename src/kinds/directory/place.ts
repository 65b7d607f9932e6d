import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { listFolders } from '../../io/files.ts';
import { isDirectory } from '../../io/find-up.ts';
import { isOwnFolder } from '../../io/own-folder.ts';
import { isTaskId } from '../../task/id.ts';
import type { ClaimWords } from '../claim.ts';
import type { OnePlace } from '../one-store.ts';

/** Where task directories are, from the root. */
export const tasksFolder = '.agentmesh/tasks';

/** Where a task directory keeps what docket saw of its work. */
export const proofFolder = ['shared', 'evidence', 'proof'];

export function tasksPath(root: string): string {
  return path.join(root, tasksFolder);
}

export type TaskPlace = OnePlace;

/** How people watch and end what works on it. */
export function claimWords(id: string): ClaimWords {
  return {
    name: `task ${id}`,
    watch: command`task events ${id} --follow`,
    cancel: command`task cancel ${id}`,
  };
}

/** Ids come from people and models: nothing is looked up before one is known to be no path. */
export function placeOfTask(root: string, id: string): TaskPlace {
  if (!isTaskId(id)) {
    const said = String(id).slice(0, 60);
    throw new DocketError(
      'INVALID',
      `${JSON.stringify(said)} is no task id`,
      fix`see ${command`task list`}`,
      {
        id: said,
      },
    );
  }
  return {
    id,
    dir: path.join(root, tasksFolder, id),
    own: path.join(root, '.docket', 'agentmesh', id),
  };
}

export function assertTask(root: string, id: string): TaskPlace {
  const place = placeOfTask(root, id);
  if (isDirectory(place.dir)) return place;
  throw new DocketError(
    'NOT_FOUND',
    `there is no task ${id} in ${tasksFolder}`,
    fix`see ${command`task list`}, or make one with ${command`task create`}`,
    { id },
  );
}

/** The names that can be tasks; a hidden folder and the one that keeps an empty place in git are none. */
export function taskIds(root: string): string[] {
  return listFolders(path.join(root, tasksFolder)).filter((name) => isTaskId(name) && name !== 'placeholder');
}

export function assertTaskDir(dir: string): void {
  if (isOwnFolder(dir)) return;
  const todo = fix`${command`task list`} shows them`;
  throw new DocketError('NOT_FOUND', `there is no task directory ${dir}`, todo, { path: dir });
}
