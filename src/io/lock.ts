import { DocketError } from '../errors.ts';
import { sleep } from './clock.ts';
import { kernelMutex, nativeLocks } from './kernel-lock.ts';
import { linkMutex } from './link-lock.ts';

/** Mutual exclusion between processes. The file is only ever locked: nobody renames it or reads what it says. */
export interface Mutex {
  readonly path: string;
  tryLock(): boolean;
  /** While it is ours: words for people who look at the file. Where the file says who has it anyway, nothing. */
  sign(words: string): void;
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

const shortestPauseMs = 4;
const longestPauseMs = 100;

/**
 * Waits without blocking the process: one quick try more, then pauses of uneven length that grow with the time
 * waited so far. Every wake-up in vain takes the processor from the holder, and fifty wait at once now and then.
 */
export async function lockWithin(mutex: Mutex, waitMs: number): Promise<void> {
  const started = performance.now();
  for (let tries = 0; !mutex.tryLock(); tries += 1) {
    const waited = performance.now() - started;
    if (waited > waitMs) {
      throw new DocketError(
        'LOCK_TIMEOUT',
        `another process has held ${mutex.path} for ${Math.round(waitMs / 1000)} s`,
        'try again; if it stays so, look for a suspended docket (ps -C node -o pid,stat,args) and end or resume it',
        { path: mutex.path, waitedMs: waitMs },
      );
    }
    if (tries === 0) await new Promise(setImmediate);
    else await sleep(shortestPauseMs + Math.random() * Math.min(waited, longestPauseMs));
  }
}
