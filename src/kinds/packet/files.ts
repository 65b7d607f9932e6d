import path from 'node:path';
import { listDir, replaceFile } from '../../io/files.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { readTextFile } from '../../io/text-file.ts';

const longestInput = 16 * 1024 * 1024;

/** Reads a file of the packet; undefined when there is none. */
export function readInput(dir: string, name: string): string | undefined {
  return readTextFile(path.join(dir, name), longestInput);
}

/** Agents can write here, too: a link in the place of a folder leads nothing of ours elsewhere. */
export function writeOutput(dir: string, name: string, text: string): void {
  const parts = name.split('/');
  const base = parts.pop() as string;
  const folder = makeOwnFolder(dir, ...parts);
  replaceFile(path.join(folder, base), text);
}

/** What people attached, by name, in one order on every machine. */
export function readAttached(dir: string): { name: string; text: string }[] {
  return listDir(path.join(dir, 'inputs', 'attachments'))
    .toSorted((a, b) => (a < b ? -1 : 1))
    .flatMap((name) => {
      const text = readInput(dir, `inputs/attachments/${name}`);
      return text === undefined ? [] : [{ name, text }];
    });
}
