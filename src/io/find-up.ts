import fs from 'node:fs';
import path from 'node:path';
import { attempt } from './io-error.ts';

/** The nearest folder, from `start` upwards, that has one of these names in it. */
export function findUp(start: string, names: readonly string[]): string | undefined {
  for (let dir = path.resolve(start); ; dir = path.dirname(dir)) {
    if (names.some((name) => fs.existsSync(path.join(dir, name)))) return dir;
    if (dir === path.dirname(dir)) return undefined;
  }
}

export function isDirectory(file: string): boolean {
  return attempt('look at', file, () => fs.statSync(file, { throwIfNoEntry: false }))?.isDirectory() ?? false;
}
