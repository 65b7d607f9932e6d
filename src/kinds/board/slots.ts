import path from 'node:path';
import { bestLockKind, openMutex, type Mutex } from '../../io/lock.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';

/** One of so many workers at once, counted over all dockets of this board. It ends with its process. */
export function takeSlot(dir: string, most: number): { free(): void } | undefined {
  const folder = makeOwnFolder(dir, 'slots');
  for (let n = 1; n <= most; n += 1) {
    const mutex = openMutex(path.join(folder, `${n}.lock`), bestLockKind());
    if (taken(mutex)) return { free: () => freed(mutex) };
  }
  return undefined;
}

function taken(mutex: Mutex): boolean {
  let ours = false;
  try {
    ours = mutex.tryLock();
    return ours;
  } finally {
    if (!ours) mutex.close();
  }
}

function freed(mutex: Mutex): void {
  mutex.unlock();
  mutex.close();
}
