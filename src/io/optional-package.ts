import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { shellWord } from '../errors/shell-word.ts';
import { packageRoot } from './package-root.ts';

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
