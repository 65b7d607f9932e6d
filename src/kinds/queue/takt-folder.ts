import path from 'node:path';
import { createFile } from '../../io/files.ts';
import { isDirectory } from '../../io/find-up.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';

/** Process ids, paths of this machine and what runs leave; workflows, facets and settings are for everybody. */
const ignored = `# Made by docket with this folder, and yours to change: the queue and what its runs leave stay on this
# machine. Workflows, facets and settings are worth committing.
/tasks.yaml*
/tasks/
/runs/
/archive/
`;

/** Makes `.takt` where it is missing. One that is there is somebody's, and what git sees of it their choice. */
export function makeTaktFolder(root: string): void {
  if (isDirectory(path.join(root, '.takt'))) return;
  createFile(path.join(makeOwnFolder(root, '.takt'), '.gitignore'), ignored);
}
