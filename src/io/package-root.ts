import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { shellWord } from '../errors/shell-word.ts';

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

/** All that its program is read from: its own files, and the packages that it uses, beside it or where it was installed. */
export function packageParts(): string[] {
  const root = packageRoot();
  const at = root.indexOf(`${path.sep}node_modules${path.sep}`);
  const around = at < 0 ? [] : [path.join(root.slice(0, at), 'node_modules')];
  const own = ['package.json', 'bin', 'dist', 'node_modules'].map((name) => path.join(root, name));
  return [...own, ...around].filter((part) => fs.existsSync(part));
}

/** Whether docket could import this optional peer dependency. Finds it without loading it. */
export function isPackageInstalled(name: string): boolean {
  try {
    createRequire(path.join(packageRoot(), 'package.json')).resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** The command that installs a package where this docket finds it: beside a global docket, or in the local project. */
export function installPackage(name: string): string {
  const root = packageRoot();
  const around = path.dirname(root);
  if (path.basename(around) !== 'node_modules') return `npm install --prefix ${shellWord(root)} ${name}`;
  const project = path.dirname(around);
  if (!fs.existsSync(path.join(project, 'package.json'))) return `npm install -g ${name}`;
  return `npm install --prefix ${shellWord(project)} ${name}`;
}
