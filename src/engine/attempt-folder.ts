import path from 'node:path';
import { makeOwnFolder } from '../io/own-folder.ts';

/** Where an attempt has its files. Made where it is missing: an agent may have removed its own. */
export function attemptFolder(attemptsDir: string, id: string, n: number): string {
  const { dir, base } = path.parse(attemptsDir);
  return makeOwnFolder(dir, base, id, String(n));
}
