import path from 'node:path';
import { sizeAndInode } from '../../io/files.ts';
import { placeInside } from '../../io/inside.ts';
import { tempRoot } from '../../io/machine.ts';
import { readProjects } from './project-binding.ts';

/**
 * Finds files that a report names: below the task's folder, the board's root, or the folder for temporary files. Other
 * places are not looked at, so that a report cannot be used to find out what else is on the machine.
 */
export function fileFinder(
  root: string,
  { taskId, cwd }: { taskId: string; cwd?: string },
): (named: string) => boolean {
  const project = readProjects(root).find(({ taskIds }) => taskIds.includes(taskId))?.path;
  const folders = [...new Set([cwd ?? project ?? root, root])];
  return (named) => {
    const file = named.replace(/(?:#L\d+.*|:\d+(?::\d+)?(?:-\d+)?)$/, '');
    return folders.some((folder) =>
      [folder, root, tempRoot()].some((base) => exists(base, path.resolve(folder, file))),
    );
  };
}

/** A path that leads elsewhere, or that cannot be looked at, is as good as absent. */
function exists(base: string, file: string): boolean {
  try {
    return sizeAndInode(placeInside(base, file)) !== undefined;
  } catch {
    return false;
  }
}
