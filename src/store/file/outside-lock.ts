import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { sleep } from '../../io/clock.ts';
import { makeDir } from '../../io/files.ts';
import { type Mutex, lockWithin, openMutex } from '../../io/lock.ts';
import { type PidLock, tryPidLock } from '../../io/pid-lock.ts';
import { type TokenOwner, tryTokenLock } from '../../io/token-lock.ts';
import { type Place, readFacts } from './place.ts';

const pauseMs = 25;

/**
 * The store's own lock, and with it the one of the other tools that write to the log. While those have it, ours is
 * free, so that nobody waits for two.
 */
export function withOutside(mutex: Mutex, file: string | undefined): Locks {
  let release: (() => void) | undefined;
  const tryOutside = (): TokenOwner | undefined => {
    if (file === undefined) return undefined;
    makeDir(path.dirname(file));
    const lock = tryTokenLock(file, 'docket');
    if (!lock.held) return lock.by;
    release = () => lock.release();
    return undefined;
  };
  return {
    async lock(waitMs) {
      const started = performance.now();
      for (;;) {
        const left = waitMs - (performance.now() - started);
        await lockWithin(mutex, Math.max(0, left));
        let by: TokenOwner | undefined;
        let got = false;
        try {
          by = tryOutside();
          got = by === undefined;
        } finally {
          if (!got) mutex.unlock();
        }
        if (!by) return;
        if (left <= 0) throw kept(file ?? '', by);
        await sleep(pauseMs + Math.random() * pauseMs);
      }
    },
    unlock() {
      release?.();
      release = undefined;
      mutex.unlock();
    },
    close() {
      release?.();
      mutex.close(); // and with it the lock
    },
  };
}

export interface Locks {
  lock(waitMs: number): Promise<void>;
  unlock(): void;
  close(): void;
}

function kept(file: string, { owner = 'another tool', pid, expiresAtTs }: TokenOwner): DocketError {
  const who = `${owner}${pid === undefined ? '' : ` (pid ${pid})`}`;
  const end =
    expiresAtTs === undefined ? '' : `, or wait until ${new Date(expiresAtTs * 1000).toISOString()}`;
  return new DocketError('LOCK_TIMEOUT', `${file} is held by ${who}`, `end that process${end}`, {
    path: file,
    pid,
  });
}

/** Keeps every docket process from writing to a store, and other tools from its mirror, while `use` is at work. */
export async function holdLock<T>(
  place: Place,
  mirrorLock: string | undefined,
  waitMs: number,
  use: () => T | Promise<T>,
): Promise<T> {
  const facts = readFacts(place);
  if (!facts) throw new DocketError('NOT_FOUND', `${place.dir} is no store`, 'open it for writing first');
  const mutex = openMutex(place.lockFile, facts.lock);
  try {
    await lockWithin(mutex, waitMs);
    const release = mirrorLock === undefined ? undefined : await takeWithin(mirrorLock, waitMs);
    try {
      return await use();
    } finally {
      release?.();
    }
  } finally {
    mutex.close(); // and with it the lock
  }
}

async function takeWithin(file: string, waitMs: number): Promise<() => void> {
  makeDir(path.dirname(file));
  const started = performance.now();
  for (;;) {
    const lock: PidLock = tryPidLock(file);
    if (lock.held) return () => lock.release();
    if (performance.now() - started > waitMs) {
      const message = `TaskStore: timed out waiting for lock: ${file}`;
      const fix = `end the process that has it${lock.pid === undefined ? '' : ` (pid ${lock.pid})`}, or wait until it is 30 s old`;
      throw new DocketError('LOCK_TIMEOUT', message, fix, { path: file, pid: lock.pid });
    }
    await sleep(pauseMs);
  }
}
