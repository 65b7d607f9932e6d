import fs from 'node:fs';
import { createRequire } from 'node:module';
import { around } from './fault.ts';
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
  const open = () => attempt('open', file, () => around('open', file, () => fs.openSync(file, 'a+')));
  let fd = open();
  let mine = fs.fstatSync(fd);
  return {
    path: file,
    tryLock() {
      for (;;) {
        if (!attempt('lock', file, () => locks.tryLock(fd))) return false;
        if (isAt(file, mine)) return true;
        // Somebody deleted the file, as one does with stale locks: others lock the one that is there now.
        // Open first: if the whole folder is gone, the number that we have must stay ours until it is closed.
        const next = open();
        fs.closeSync(fd);
        fd = next;
        mine = fs.fstatSync(fd);
      }
    },
    sign(words) {
      attempt('write', file, () => {
        fs.ftruncateSync(fd);
        fs.writeSync(fd, words);
      });
    },
    unlock: () => attempt('unlock', file, () => locks.unlock(fd)),
    close: () => fs.closeSync(fd),
  };
}

function isAt(file: string, mine: fs.Stats): boolean {
  const there = fs.statSync(file, { throwIfNoEntry: false });
  return there?.ino === mine.ino && there.dev === mine.dev;
}
