import path from 'node:path';
import { makeOwnFolder } from '../io/own-folder.ts';
import { writePlain } from '../io/plain-file.ts';
import { readTextFile } from '../io/text-file.ts';
import type { TreeState } from '../workspace/tree.ts';

const longestNote = 64 * 1024 * 1024;

/** Before an agent came, or after it left. */
type When = 'before' | 'after';

/**
 * The work tree as it was before an agent came. It is noted, so that a docket which takes over compares with that, and
 * not with what the agent has made of it meanwhile.
 */
export function noteTree(
  dir: string,
  below: readonly string[],
  state: TreeState,
  when: When = 'before',
): void {
  const folder = makeOwnFolder(dir, 'attempts', ...below);
  writePlain(path.join(folder, `${when}.json`), JSON.stringify({ ...state, dirty: [...state.dirty] }));
}

export function notedTree(
  dir: string,
  below: readonly string[],
  when: When = 'before',
): TreeState | undefined {
  const text = readTextFile(path.join(dir, 'attempts', ...below, `${when}.json`), longestNote);
  if (text === undefined) return undefined;
  try {
    const { branch, head, dirty } = JSON.parse(text) as Record<string, unknown>;
    if (typeof branch !== 'string' || typeof head !== 'string' || !Array.isArray(dirty)) return undefined;
    return { branch, head, dirty: new Map(dirty as [string, string][]) };
  } catch {
    return undefined; // cut off by a power loss: what is there now has to do
  }
}
