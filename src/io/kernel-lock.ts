import fs from 'node:fs';
import { createRequire } from 'node:module';
import { attempt } from './io-error.ts';
import type { Mutex } from './lock.ts';

interface NativeLocks {
  tryLock(fd: number): boolean;
  unlock(fd: number): void;
}

let native: NativeLocks | undefined | null = null;

/** Undefined where the native part cannot be loaded (an exotic CPU or libc). */
export function nativeLocks(): NativeLocks | undefined {
  if (native !== null) return native;
  try {
    native = createRequire(import.meta.url)('fs-native-extensions') as NativeLocks;
  } catch {
    native = undefined;
  }
  return native;
}

/** The kernel's own lock: it ends with its process, and a suspended holder keeps it. Nothing can go stale. */
export function kernelMutex(file: string, locks: NativeLocks): Mutex {
  const fd = attempt('open', file, () => fs.openSync(file, 'a+'));
  return {
    path: file,
    tryLock: () => attempt('lock', file, () => locks.tryLock(fd)),
    unlock: () => attempt('unlock', file, () => locks.unlock(fd)),
    close: () => fs.closeSync(fd),
  };
}
