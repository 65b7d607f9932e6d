import { setTimeout as sleep } from 'node:timers/promises';
import { DocketError } from '../errors.ts';
import { kernelMutex, nativeLocks } from './kernel-lock.ts';
import { linkMutex } from './link-lock.ts';

/** Mutual exclusion between processes. The file is only ever locked: nobody reads, renames or fills it. */
export interface Mutex {
  readonly path: string;
  tryLock(): boolean;
  unlock(): void;
  close(): void;
}

/** Two kinds do not exclude each other, so a store fixes its kind when it is made. */
export type LockKind = 'kernel' | 'link';

export function bestLockKind(): LockKind {
  return nativeLocks() ? 'kernel' : 'link';
}

export function openMutex(file: string, kind: LockKind): Mutex {
  if (kind === 'link') return linkMutex(file);
  const locks = nativeLocks();
  if (locks) return kernelMutex(file, locks);
  throw new DocketError(
    'UNSUPPORTED_FS',
    `${file} is locked by the kernel, and the native part that does so cannot be loaded here`,
    'reinstall docket on this machine (npm rebuild fs-native-extensions)',
    { path: file },
  );
}

/** Waits without blocking the process: a few quick tries, then short sleeps of uneven length. */
export async function lockWithin(mutex: Mutex, waitMs: number): Promise<void> {
  const giveUp = performance.now() + waitMs;
  for (let tries = 0; !mutex.tryLock(); tries += 1) {
    if (performance.now() > giveUp) {
      throw new DocketError(
        'LOCK_TIMEOUT',
        `another process has held ${mutex.path} for ${Math.round(waitMs / 1000)} s`,
        'try again; if it stays so, look for a suspended docket (ps -C node -o pid,stat,args) and end or resume it',
        { path: mutex.path, waitedMs: waitMs },
      );
    }
    if (tries < 3) await new Promise(setImmediate);
    else await sleep(1 + Math.random() * Math.min(tries / 4, 8));
  }
}
