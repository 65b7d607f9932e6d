import path from 'node:path';
import { makeOwnFolder } from '../io/own-folder.ts';
import { writePlain } from '../io/process/plain-file.ts';
import { readTextFile } from '../io/text-file.ts';
import { treeState, type TreeState } from '../workspace/tree.ts';

const longestNote = 64 * 1024 * 1024;

/**
 * The work tree as it was before the agent came. It is noted, so that a docket which takes over (`open`) compares with
 * that, and not with what the agent has made of it meanwhile.
 */
export async function treeBefore(
  cwd: string,
  dir: string,
  id: string,
  open: boolean,
): Promise<TreeState | undefined> {
  const file = path.join(makeOwnFolder(dir, 'attempts', id), 'before.json');
  const noted = open ? readNote(file) : undefined;
  if (noted) return noted;
  const state = await treeState(cwd);
  if (state) writePlain(file, JSON.stringify({ ...state, dirty: [...state.dirty] }));
  return state;
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
