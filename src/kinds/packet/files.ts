import path from 'node:path';
import { listDir, removeFile, replaceFile } from '../../io/files.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { writePlain } from '../../io/plain-file.ts';
import { readTextFile } from '../../io/text-file.ts';
import type { PacketPlace } from './place.ts';
import type { Inputs } from './plan.ts';

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

/** What a stage is told, and what that was made from. */
export interface Sent {
  prompt: string;
  sha256: string;
  inputs: Inputs;
}

const longestNote = 512 * 1024 * 1024;

/** Notes lie with what agents print, for a docket that takes over after a crash. */
export function writeNote(root: string, { raw }: PacketPlace, name: string, value: unknown): void {
  const file = path.join(raw, `${name}.json`);
  makeOwnFolder(root, ...path.relative(root, path.dirname(file)).split(path.sep));
  writePlain(file, JSON.stringify(value));
}

/** Undefined: there is none, or it was cut off by a power loss. */
export function readNote({ raw }: PacketPlace, name: string): unknown {
  const text = readTextFile(path.join(raw, `${name}.json`), longestNote);
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function forgetNote({ raw }: PacketPlace, name: string): void {
  removeFile(path.join(raw, `${name}.json`));
}
