import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { sleep } from '../../io/clock.ts';
import { makeDir } from '../../io/files.ts';
import type { Mutex } from '../../io/lock.ts';
import { lockWithin } from '../../io/lock.ts';
import { tryTokenLock, type TokenOwner } from '../../io/token-lock.ts';

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
