import fs from 'node:fs';
import { createRequire } from 'node:module';
import { around } from './fault.ts';
import { attempt, codeOf } from './io-error.ts';
import type { Mutex } from './lock.ts';
import { modeOfNew } from './private-files.ts';

interface NativeLocks {
  tryLock(fd: number): boolean;
  unlock(fd: number): void;
}

/** What the package's native part has. */
interface Binding {
  tryLock(fd: number, offset: number, length: number, isExclusive: boolean): void;
  unlock(fd: number, offset: number, length: number): void;
}

let native: NativeLocks | undefined | null = null;

/** Undefined where the native part cannot be loaded (an exotic CPU or libc). */
export function nativeLocks(): NativeLocks | undefined {
  if (native !== null) return native;
  try {
    native = prebuilt();
  } catch {
    native = undefined;
  }
  return native;
}

/** Its own way to this file asks for every runtime that there is, and takes every command that writes 20 ms. */
function prebuilt(): NativeLocks {
  const file = `fs-native-extensions/prebuilds/${process.platform}-${process.arch}/fs-native-extensions.node`;
  const binding = createRequire(import.meta.url)(file) as Binding;
  return {
    tryLock(fd) {
      try {
        binding.tryLock(fd, 0, 0, true);
        return true;
      } catch (error) {
        if (codeOf(error) === 'EAGAIN') return false;
        throw error;
      }
    },
    unlock: (fd) => binding.unlock(fd, 0, 0),
  };
}

/** The kernel's own lock: it ends with its process, and a suspended holder keeps it. Nothing can go stale. */
export function kernelMutex(file: string, locks: NativeLocks): Mutex {
  const open = () =>
    attempt('open', file, () => around('open', file, () => fs.openSync(file, 'a+', modeOfNew(file))));
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
