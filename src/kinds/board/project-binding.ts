import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { replaceFile } from '../../io/files.ts';
import { isDirectory } from '../../io/find-up.ts';
import { readTextFile } from '../../io/text-file.ts';
import { asciiJson } from '../../schema/json.ts';
import { isObject } from '../../task/json.ts';
import { ownFolder } from './format/places.ts';

const file = `${ownFolder}/projects.json`;

/** A folder whose work is on the board. */
export interface BoundProject {
  /** Without links. */
  path: string;
  name: string;
  document?: string;
  taskIds: readonly string[];
}

export function readProjects(root: string): BoundProject[] {
  const { projects } = readState(root, file);
  if (!isObject(projects)) return [];
  return Object.entries(projects).flatMap(([folder, value]): BoundProject[] => {
    if (!isObject(value) || !path.isAbsolute(folder)) return [];
    const { name, document, taskIds } = value;
    if (typeof name !== 'string' || !Array.isArray(taskIds)) return [];
    return [
      {
        path: folder,
        name,
        ...(typeof document === 'string' && { document }),
        taskIds: taskIds.filter((id) => typeof id === 'string'),
      },
    ];
  });
}

/** For who holds the board's lock. */
export function bindProject(root: string, project: BoundProject): void {
  const all = [...readProjects(root).filter((one) => one.path !== project.path), project];
  const projects = Object.fromEntries(all.map(({ path: folder, ...rest }) => [folder, rest]));
  writeState(root, file, { v: 1, projects });
}

/** Where a task is worked on: where its project is, else where the board is. */
export function folderOf(root: string, taskId: string): string {
  const project = readProjects(root).find(({ taskIds }) => taskIds.includes(taskId));
  if (!project) return root;
  if (isDirectory(project.path)) return project.path;
  throw new DocketError(
    'NOT_FOUND',
    `the folder of project ${project.name} is gone: ${project.path}`,
    'put it back, or start the project where it is now',
    { path: project.path },
  );
}

const longest = 4 * 1024 * 1024;

type Data = Record<string, unknown>;

/** A small file of the board, `{}` where there is none. What does not parse is somebody's, and stays. */
export function readState(root: string, name: string): Data {
  const text = readTextFile(path.join(root, name), longest);
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // said below
  }
  throw new DocketError('BAD_FILE', `${name} is no JSON object`, 'mend it, or remove it', { path: name });
}

/** For who holds the board's lock. In the bytes that the format's other tools write. */
function writeState(root: string, name: string, value: Data): void {
  const text = asciiJson(JSON.stringify(value, undefined, 2));
  replaceFile(path.join(root, name), `${text}\n`, { sync: true, own: true });
}
