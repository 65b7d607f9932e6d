import path from 'node:path';
import { makeOwnFolder } from '../io/own-folder.ts';
import { writePlain } from '../io/process/plain-file.ts';
import { readTextFile } from '../io/text-file.ts';
import type { TreeState } from '../workspace/tree.ts';

const longestNote = 64 * 1024 * 1024;

/**
 * The work tree as it was before an agent came. It is noted, so that a docket which takes over compares with that, and
 * not with what the agent has made of it meanwhile.
 */
export function noteTree(dir: string, below: readonly string[], state: TreeState): void {
  writePlain(placeOf(dir, below), JSON.stringify({ ...state, dirty: [...state.dirty] }));
}

export function notedTree(dir: string, below: readonly string[]): TreeState | undefined {
  return readNote(placeOf(dir, below));
}

function placeOf(dir: string, below: readonly string[]): string {
  return path.join(makeOwnFolder(dir, 'attempts', ...below), 'before.json');
}

function readNote(file: string): TreeState | undefined {
  const text = readTextFile(file, longestNote);
  if (text === undefined) return undefined;
  try {
    const { branch, head, dirty } = JSON.parse(text) as Record<string, unknown>;
    if (typeof branch !== 'string' || typeof head !== 'string' || !Array.isArray(dirty)) return undefined;
    return { branch, head, dirty: new Map(dirty as [string, string][]) };
  } catch {
    return undefined; // cut off by a power loss: what is there now has to do
  }
}
