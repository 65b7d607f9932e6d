import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { isDirectory } from '../../io/find-up.ts';
import { isObject } from '../../task/json.ts';
import { ownFolder } from './format/places.ts';
import { readState, writeState } from './state-file.ts';

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
