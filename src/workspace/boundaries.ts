import path from 'node:path';
import { exists } from '../io/links.ts';

/** What package managers make: it is made again by a command, with a cache, and never copied. */
const dependencies = new Set([
  'node_modules',
  'bower_components',
  '.pnpm-store',
  '.venv',
  'venv',
  'site-packages',
  '.tox',
  '.nox',
  'vendor',
  'Pods',
]);

/** Tells whether a name, from the root, lies in another repository or work tree, or among somebody's dependencies. */
export function boundaries(root: string): (name: string) => boolean {
  const known = new Map<string, boolean>([['.', false]]);
  const isOutside = (folder: string): boolean => {
    const before = known.get(folder);
    if (before !== undefined) return before;
    const found =
      dependencies.has(path.posix.basename(folder)) ||
      isOutside(path.posix.dirname(folder)) ||
      isRepository(path.join(root, folder));
    known.set(folder, found);
    return found;
  };
  return (name) => isOutside(path.posix.dirname(name));
}

/** A work tree has a `.git`, as a folder or as a file; a bare one is its own. */
function isRepository(folder: string): boolean {
  const has = (name: string): boolean => exists(path.join(folder, name));
  return has('.git') || (has('HEAD') && has('objects') && has('refs'));
}
