import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Copies docket into `folder/node_modules`, with its dependencies and without its optional peers. Returns its program. */
export function installDocket(folder: string): string {
  const modules = path.join(folder, 'node_modules');
  const home = path.join(modules, 'docket');
  for (const part of ['package.json', 'bin', 'dist/cli', 'dist/engine', 'dist/io', 'schemas', 'workflows'])
    fs.cpSync(path.join(repository, part), path.join(home, part), { recursive: true });
  const { dependencies } = JSON.parse(fs.readFileSync(path.join(home, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const name of Object.keys(dependencies)) {
    fs.mkdirSync(path.dirname(path.join(modules, name)), { recursive: true });
    fs.symlinkSync(path.join(repository, 'node_modules', name), path.join(modules, name));
  }
  return path.join(home, 'bin/docket');
}
