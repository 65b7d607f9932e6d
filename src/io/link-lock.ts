import fs from 'node:fs';
import { linkFile, readBytes, removeFile, writeTemp } from './files.ts';
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
      mine = take(file);
      return mine !== undefined;
    },
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
  const token = `${me.pid}-${me.startTime}-${count}`;
  const temp = `${file}.${token}.tmp`;
  writeTemp(temp, JSON.stringify({ ...me, token } satisfies Owner), {});
  try {
    if (linkFile(temp, file)) return token;
  } finally {
    removeFile(temp);
  }
  const owner = readOwner(file);
  if (owner !== undefined && liveness(owner) === 'dead') bury(file, owner);
  return undefined;
}

/**
 * Removes a dead owner's lock. The right to do so is itself a lock, named after the dead owner: two who see the
 * same body cannot both remove it, one of them after a third has taken the lock anew. A burier who dies is
 * buried the same way.
 */
function bury(file: string, dead: Owner): void {
  const right = `${file}.${dead.token}`;
  const token = take(right);
  if (token === undefined) return;
  if (readOwner(file)?.token === dead.token) removeFile(file);
  removeFile(right);
}

function readOwner(file: string): Owner | undefined {
  const text = readBytes(file)?.toString('utf8');
  if (text === undefined) return undefined;
  try {
    const owner: unknown = JSON.parse(text);
    if (isOwner(owner)) return owner;
  } catch {
    // Not ours, or emptied by a power loss: judged by its age below.
  }
  // Our own locks are complete from their first moment, so an unreadable one is left from before the boot.
  const me = ownIdentity();
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  return (
    stat && {
      ...me,
      pid: me.pid,
      bootId: stat.size === 0 ? 'before' : me.bootId,
      token: `unreadable-${stat.ino}`,
    }
  );
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
