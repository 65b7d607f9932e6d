import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

let found: string | undefined;

/**
 * Where docket is installed, with what it ships beside the program. The same code runs from the sources, from `dist` and
 * from the bundle of the command line, each at its own depth, so the package's own file is looked for upwards.
 */
export function packageRoot(): string {
  if (found !== undefined) return found;
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!fs.existsSync(path.join(folder, 'package.json'))) {
    const parent = path.dirname(folder);
    if (parent === folder) throw new Error('docket is not in a package of its own');
    folder = parent;
  }
  return (found = folder);
}
