import fs from 'node:fs';
import { linkFile, readBytes, removeFile, removeQuietly, writeTemp } from './files.ts';
import { liveness, ownIdentity, type ProcessIdentity } from './identity.ts';
import type { Mutex } from './lock.ts';

/**
 * A lock file for places where the kernel's locks cannot be had. The file appears with its whole content
 * (`link`), so nobody ever reads half an owner. It outlives its process, hence the take-over below.
 */
export function linkMutex(file: string): Mutex {
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
