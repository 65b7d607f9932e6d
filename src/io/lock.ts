import fs from 'node:fs';
import { createRequire } from 'node:module';
import { DocketError } from '../errors.ts';
import { sleep } from './clock.ts';
import { around } from './fault.ts';
import { linkFile, readBytes, removeFile, removeQuietly, writeTemp } from './files.ts';
import { liveness, ownIdentity, type ProcessIdentity } from './identity.ts';
import { attempt, codeOf } from './io-error.ts';
import { modeOfNew } from './private-files.ts';

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
function nativeLocks(): NativeLocks | undefined {
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
function kernelMutex(file: string, locks: NativeLocks): Mutex {
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

/**
 * A lock file for places where the kernel's locks cannot be had. The file appears with its whole content
 * (`link`), so nobody ever reads half an owner. It outlives its process, hence the take-over below.
 */
function linkMutex(file: string): Mutex {
  let mine: string | undefined;
  return {
    path: file,
    tryLock() {
      // It is still ours when it could not be removed the last time.
      if (mine === undefined || readOwner(file)?.token !== mine) mine = take(file);
      return mine !== undefined;
    },
    sign: () => undefined,
    unlock() {
      if (mine !== undefined && readOwner(file)?.token === mine) removeFile(file);
      mine = undefined;
    },
    close() {
      if (mine !== undefined) this.unlock();
    },
  };
}

interface Owner extends ProcessIdentity {
  token: string;
}

let count = 0;

/** The token of the lock if it is ours now. */
function take(file: string): string | undefined {
  const me = ownIdentity();
  count += 1;
  const token = `${me.pid}-${me.startTime.replaceAll(/\W/g, '')}-${count}`;
  const temp = `${file}.${token}.tmp`;
  writeTemp(temp, JSON.stringify({ ...me, token } satisfies Owner), {});
  try {
    if (linkFile(temp, file)) return token;
  } catch (error) {
    if (readOwner(file)?.token === token) removeFile(file); // it was made, and the error came behind it
    throw error;
  } finally {
    removeQuietly(temp);
  }
  const owner = readOwner(file);
  const free = owner !== undefined && liveness(owner) === 'dead' && bury(file, owner);
  return free ? take(file) : undefined;
}

/**
 * Removes a dead owner's lock. The right to do so is itself a lock, named after the dead owner: two who see the
 * same body cannot both remove it, one of them after a third has taken the lock anew. A burier who dies is
 * buried the same way.
 */
function bury(file: string, dead: Owner): boolean {
  const right = `${file}.${dead.token}`;
  const token = take(right);
  if (token === undefined) return false;
  try {
    if (readOwner(file)?.token === dead.token) removeFile(file);
  } finally {
    removeFile(right);
  }
  return true;
}

function readOwner(file: string): Owner | undefined {
  const text = readBytes(file)?.toString('utf8');
  if (text === undefined) return undefined;
  try {
    const owner: unknown = JSON.parse(text);
    if (isOwner(owner)) return owner;
  } catch {
    // Not ours, or emptied by a power loss.
  }
  // Our own locks are complete from their first moment: one that is empty, or zeros, a power loss has left.
  const me = ownIdentity();
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  const blank = /^\0*$/.test(text);
  return stat && { ...me, bootId: blank ? 'before' : me.bootId, token: `unreadable-${stat.ino}` };
}

function isOwner(value: unknown): value is Owner {
  const owner = value as Owner | null;
  return (
    typeof owner === 'object' &&
    owner !== null &&
    typeof owner.token === 'string' &&
    /^[\w-]+$/.test(owner.token) &&
    typeof owner.pid === 'number' &&
    typeof owner.host === 'string' &&
    typeof owner.startTime === 'string' &&
    typeof owner.bootId === 'string'
  );
}
