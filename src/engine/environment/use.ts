import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { listDir, removeFile } from '../../io/files.ts';
import { isDirectory } from '../../io/find-up.ts';
import { bestLockKind, lockWithin, type Mutex, openMutex } from '../../io/lock.ts';
import { endLeftover } from '../../io/process/leftovers.ts';
import { environmentFolder } from './record.ts';

export interface Use {
  release(): void;
}

/** Short waits in a row, so that whoever is told to stop does. */
const lookMs = 500;

/**
 * While somebody has a workspace in use, nobody takes it away, and one at a time sets it up. The lock ends with its
 * process. Undefined: we were told to stop while we waited.
 */
export async function useWorkspace(root: string, key: string, signal: AbortSignal): Promise<Use | undefined> {
  const mutex = mutexFor(root, key);
  while (!signal.aborted) {
    try {
      await lockWithin(mutex, lookMs);
      return useOf(mutex);
    } catch (error) {
      if (!(error instanceof DocketError) || error.code !== 'LOCK_TIMEOUT') {
        mutex.close();
        throw error;
      }
    }
  }
  mutex.close();
  return undefined;
}

/** Undefined: somebody has it in use. */
export function useIfFree(root: string, key: string): Use | undefined {
  const mutex = mutexFor(root, key);
  let taken = false;
  try {
    taken = mutex.tryLock();
  } finally {
    if (!taken) mutex.close();
  }
  return taken ? useOf(mutex) : undefined;
}

/** Commands that a docket which died left running, in places that nobody has in use now. */
export async function endLeftSetups(root: string): Promise<void> {
  const folder = path.join(root, '.docket', 'setup');
  for (const key of listDir(folder)) {
    const commands = path.join(folder, key, commandsFolder);
    if (!isDirectory(commands)) continue;
    const use = useIfFree(root, key);
    if (!use) continue;
    try {
      await endCommandsIn(commands);
    } finally {
      use.release();
    }
  }
}

export const commandsFolder = 'commands';

async function endCommandsIn(folder: string): Promise<void> {
  for (const name of listDir(folder)) await endLeftover(path.join(folder, name));
}

function mutexFor(root: string, key: string): Mutex {
  return openMutex(path.join(environmentFolder(root, 'locks'), `${key}.lock`), bestLockKind());
}

function useOf(mutex: Mutex): Use {
  return {
    release() {
      removeFile(mutex.path); // who waits for it sees that it is gone, and makes a new one
      mutex.unlock();
      mutex.close();
    },
  };
}
