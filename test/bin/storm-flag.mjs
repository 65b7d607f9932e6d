// Proof of who holds a task that does not rest on the store: a file per task, made by its holder with "must not exist".
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { liveness, ownIdentity } from '../../dist/io/identity.js';

/** Whoever still has the flag up and is alive, if there is somebody: then one task has two holders. */
export async function raise(dir, id) {
  const file = path.join(dir, id);
  for (let tries = 0; ; tries += 1) {
    const holder = put(file);
    if (holder === undefined) return undefined;
    if (liveness(holder) === 'dead') fs.rmSync(file, { force: true });
    // A killed process gives up its locks a moment before the system calls it dead.
    else if (tries >= 100) return holder;
    else await sleep(50);
  }
}

export function lower(dir, id) {
  fs.rmSync(path.join(dir, id), { force: true });
}

/** The flag appears with its whole content, so that a killed worker never leaves half of one. */
function put(file) {
  const temp = `${file}.${process.pid}`;
  fs.writeFileSync(temp, JSON.stringify(ownIdentity()));
  try {
    fs.linkSync(temp, file);
    return undefined;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } finally {
    fs.rmSync(temp, { force: true });
  }
}
