import fs from 'node:fs';
import path from 'node:path';
import { DocketError } from '../errors.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** What a shell in `cwd` would run for this name: an absolute path, or undefined. */
export function findProgram(name: string, env: Env, cwd: string): string | undefined {
  return candidates(name, env, cwd).find(isProgram);
}

/** The same, or an error that says what is wrong with it. */
export function requireProgram(name: string, env: Env, cwd: string): string {
  const found = findProgram(name, env, cwd);
  if (found !== undefined) return found;
  const there = candidates(name, env, cwd).find((file) => fs.existsSync(file));
  if (there !== undefined) {
    const isFolder = fs.statSync(there).isDirectory();
    throw new DocketError(
      'NO_ACCESS',
      `${there} cannot be started: ${isFolder ? 'it is a folder' : 'it is not executable'}`,
      isFolder ? 'name the program itself' : `make it executable: chmod +x ${there}`,
      { program: name, path: there, problem: 'not-executable' },
    );
  }
  const where = name.includes('/') ? path.resolve(cwd, name) : `"${name}" is not on PATH`;
  throw new DocketError(
    'NOT_FOUND',
    `the program is not there: ${where}`,
    'install it, or name another one as `command` of the agent in the settings',
    { program: name, problem: 'program-missing', ...(!name.includes('/') && { PATH: env['PATH'] ?? null }) },
  );
}

function candidates(name: string, env: Env, cwd: string): string[] {
  if (name === '' || name.includes('\0')) return [];
  if (name.includes('/')) return [path.resolve(cwd, name)];
  // An empty entry means the current folder, as it always has.
  return (env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin')
    .split(path.delimiter)
    .map((dir) => path.resolve(cwd, dir, name));
}

function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
