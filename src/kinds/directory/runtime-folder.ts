import path from 'node:path';
import { listDir } from '../../io/files.ts';
import { renamePath } from '../../io/folders.ts';
import { exists } from '../../io/links.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { readSmallFile, writePlain } from '../../io/plain-file.ts';

const note = 'attempt';
const past = (n: number): string => `attempt-${n}`;

/**
 * Where attempt `n` of an instance has its files: `runtime/` is always the latest one's, which is where readers of this
 * format look; the earlier ones move to `runtime/attempt-<n>/` when the next begins. Whenever that is cut short, it is
 * done to its end the next time: the note goes last.
 */
export function runtimeFolder(taskDir: string, instance: string, n: number): string {
  const folder = makeOwnFolder(taskDir, 'agents', instance, 'runtime');
  // Without a note, what lies there is older all the same: another tool's, or the agent took the note away.
  const current = Number(readSmallFile(path.join(folder, note)) ?? 0) || n - 1;
  if (n < current) return makeOwnFolder(folder, past(n));
  if (n > current) {
    putAway(folder, current);
    putResultAway(taskDir, instance, () => makeOwnFolder(folder, past(current)));
    writePlain(path.join(folder, note), `${n}\n`);
  }
  return folder;
}

function putAway(folder: string, n: number): void {
  for (const name of listDir(folder)) {
    if (/^attempt(-\d+)?$/.test(name)) continue;
    renamePath(path.join(folder, name), path.join(makeOwnFolder(folder, past(n)), name));
  }
}

/** It is at work again: what it handed back before is no result any more. */
function putResultAway(taskDir: string, instance: string, to: () => string): void {
  const result = path.join(makeOwnFolder(taskDir, 'agents', instance, 'artifacts'), 'final.json');
  if (exists(result)) renamePath(result, path.join(to(), 'final.json'));
}
